package play

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/hints"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// lapRun is one lap of a sweep, with the servers on which its objects are tried.
type lapRun struct {
	*session
	lap  term.Lap
	at   lapServers
	rows []sweep.Row // of the differences
}

// begin makes the objects of the lap that were not made ahead, and begins to play all of them.
func (s lapRun) begin(ctx context.Context, ahead preparation) (*activeLap, error) {
	if ahead.err != nil {
		return nil, ahead.err
	}
	s.keepMade(ahead)
	objects, err := s.objects(ctx, ahead)
	if err != nil {
		return nil, err
	}
	own := sweep.Lap{Lap: s.lap, Objects: append(objects, ahead.differing...), Rules: ahead.tried, Scope: s.scope, Pairs: s.pairs()}
	if err := s.leaveOutRefused(ctx, own.Objects); err != nil {
		return nil, err
	}
	if err := s.chooseNeighbours(ctx, own.Objects); err != nil {
		return nil, err
	}
	own.Settings = s.settings()
	for _, id := range reachedBy(own.Objects) {
		s.reached[id] = true
	}
	if err := s.keepMismatches(s.at.logs()); err != nil {
		return nil, err
	}
	p := &activeLap{lapRun: s, lap: own, over: make(chan struct{})}
	go p.run(ctx)
	return p, nil
}

// objects returns the objects of a lap: those that were made ahead, and those that earlier laps show
// to be wanted too.
func (s lapRun) objects(ctx context.Context, ahead preparation) ([]sweep.Object, error) {
	selected := s.selection()
	selected.Again = unreached(s)
	targets := s.targets(selected)
	if err := s.reach(ctx, targets, ahead.specimens); err != nil {
		return nil, err
	}
	all := objectsOf(targets, ahead.specimens)
	unreached := slices.DeleteFunc(slices.Clone(all), sweep.Object.Played)
	s.say("%s: %d objects, of %d that differences ask for", s.lap, len(all)-len(unreached), len(all))
	return all, nil
}

// leaveOutRefused takes the objects out of the lap that the release which takes them refuses in the
// form in which a run creates them, such as without a field that it requires. Of the others it
// notes whether the other release accepts or refuses them.
func (s lapRun) leaveOutRefused(ctx context.Context, objects []sweep.Object) error {
	for role := range s.at {
		own, theirs := ofRelease(objects, role), ofRelease(objects, role.Other())
		for validation, of := range map[term.FieldValidation][]*sweep.Object{term.Strict: own, term.Ignore: theirs} {
			replies, err := try.Offered(ctx, s.exerciserOf(role), offers(of), validation)
			if err != nil {
				return err
			}
			for i, said := range replies {
				switch {
				case validation == term.Ignore: // undecided: a refusal in the run may be due to other objects
					of[i].OtherRefuses = said.Refusal != "" && !said.Undecided
					of[i].OtherAccepts = said.Refusal == "" && !of[i].IsOfName() // which a dry run replaces
				case said.Refusal != "": // a lap without gates, or with others, would be refused the same
					of[i].Specimen.Object, of[i].Specimen.Reason = nil, said.Refusal
					for _, id := range of[i].Target.Rows {
						s.reached[id] = true
					}
				}
			}
		}
	}
	return nil
}

// ofRelease returns the objects that are played and created through a release.
func ofRelease(objects []sweep.Object, role term.Role) (some []*sweep.Object) {
	for i, o := range objects {
		if o.Played() && o.Target.Release == role {
			some = append(some, &objects[i])
		}
	}
	return some
}

// offers returns objects as a run creates them.
func offers(of []*sweep.Object) []try.Offer {
	all := make([]try.Offer, len(of))
	for i, o := range of {
		all[i] = try.Offer{Object: o.Body(), Needs: o.Specimen.Needs}
	}
	return all
}

// exerciser makes objects that both releases take, apart from what they are for.
func (s lapRun) exerciser(role term.Role) try.Config {
	own, other := s.exerciserOf(role), s.exerciserOf(role.Other())
	own.Other = &other
	return own
}

// exerciserOf makes objects that one release takes.
func (s lapRun) exerciserOf(role term.Role) try.Config {
	at := s.at[role]
	return try.Config{
		Server: at.tried, Release: at.Release, Hints: exercised(s.hints), Namespace: Namespace, Custom: s.builds[role].Installs != nil,
		Examples: func(apiVersion, plural string) []map[string]any {
			kind := kindOf(at.Resources, apiVersion, plural)
			return append(s.examples[role].Of(apiVersion, plural, kind), s.examples[role.Other()].Of(apiVersion, plural, kind)...)
		},
	}
}

// exercised returns hints as objects are made with them.
func exercised(known []hints.Hint) []objects.Hint {
	all := make([]objects.Hint, len(known))
	for i, h := range known {
		all[i] = objects.Hint{APIVersion: h.APIVersion, Kind: h.Kind, Path: h.Path, Value: h.Value, Object: h.Object, Needs: h.Needs, Gates: h.Gates, Why: h.Why}
	}
	return all
}

// kindOf returns the kind of a resource.
func kindOf(all []published.Resource, apiVersion, plural string) string {
	for _, r := range all {
		if r.APIVersion == apiVersion && r.Plural == plural {
			return r.Kind
		}
	}
	return ""
}

// settings returns what the scenarios of a lap have in common.
func (s lapRun) settings() sweep.Settings {
	of := map[term.Role]scenarios.Options{}
	for role, server := range s.at {
		o := s.given[role]
		o.FeatureGates = scenarios.LaidOver(server.Gates, o.FeatureGates)
		o.RuntimeConfig = server.apis
		of[role] = o
	}
	return sweep.Settings{
		Name:     string(s.lap),
		About:    fmt.Sprintf("Every difference between %s and %s: %s.", s.refs[term.Old], s.refs[term.New], term.Laps().Meaning(s.lap)),
		Releases: scenarios.Releases{Of: engine.ReleaseOf(s.refs[term.New]).Component},
		Old:      of[term.Old], New: of[term.New],
	}
}

// play executes scenarios on one set of servers, and calls begun when those of the lap are asked nothing more.
// None is executed where some cannot begin for an error with which they are all played again.
func (s lapRun) play(ctx context.Context, generated []sweep.Generated, willRetry func(error) bool, begun func()) ([]sweep.Evidence, error) {
	members := make([]engine.Member, len(generated))
	logs := make([][]serverLog, len(generated))
	all := make([]sweep.Evidence, len(generated))
	for i, g := range generated {
		if err := s.keep(g); err != nil {
			return nil, err
		}
		prepared, err := engine.Prepare(ctx, s.host.Builds, s.runOf(g))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.File, err)
		}
		all[i].Run = g.Scenario.Name
		tell := s.tell(i, g.Scenario.Name)
		members[i] = engine.Member{Run: prepared, Lend: s.at.lend, WillRetry: willRetry, Events: listener{s.host.Events(s.lap), func(stage string) { begun(); tell(stage) }, func(j rundir.Judged, r result.Result) {
			all[i] = evidenceOf(g, j, r) // each run writes its own element
			logs[i] = logsOf(j, fileOf(s.dir, g))
		}}}
	}
	s.say("%s: playing %s", s.lap, term.Numbered(len(members), "scenario"))
	var problems []error
	for _, o := range s.host.Engine.PlayShared(ctx, members) {
		if !errors.Is(o.Err, run.ErrOtherRefused) { // the other's error says why
			problems = append(problems, o.Err)
		}
	}
	s.addLogs(s.lap, slices.Concat(logs...))
	return all, errors.Join(problems...)
}

// tell returns what prints the stages of a run as they begin. Runs that share servers have the
// same: only the first tells them.
func (s lapRun) tell(number int, run string) func(stage string) {
	if number > 0 {
		return func(string) {}
	}
	return func(stage string) { s.say("%s: stage %s", run, stage) }
}

// deleted returns the copies that a server deleted by itself: no line of a sweep deletes.
func deleted(changes []history.Change, of sweep.Evidence) map[string]bool {
	all := map[string]bool{}
	for _, c := range changes {
		if name := path.Base(c.Key); c.Deleted && of.Has(name) {
			all[name] = true
		}
	}
	return all
}

// evidenceOf returns what rows need of a judged run. Its result is the one that reports show.
func evidenceOf(g sweep.Generated, j rundir.Judged, r result.Result) sweep.Evidence {
	e := sweep.EvidenceOf(&j.Judgement.History.Header.Plan, r, j.Judgement.Ledger)
	e.Run = g.Scenario.Name
	if g.Scenario.Releases.Of != scenarios.ManifestComponent { // a definition that goes takes its objects along: that is a loss
		e.Deleted = deleted(j.Judgement.History.Changes, e)
	}
	e.IsPart = j.Ended != nil
	return e
}

// runOf returns the run of a scenario of the sweep.
func (s lapRun) runOf(g sweep.Generated) engine.Request {
	r := engine.Request{
		Scenario: g.Scenario, Pair: engine.PairNames{Pair: s.request.Pair}, Adapter: s.request.Adapter, Server: s.request.Server, Webhooks: s.request.Webhooks,
		Without: namesOf(s.immovable), Stored: s.unruledNames(), Kinds: s.request.Kinds, Seed: s.request.Seed, Store: s.request.Store, Dir: s.dir.File(g.Scenario.Name), Timeout: s.request.Timeout,
	}
	return r
}

// fileOf returns the path of a file in the run directory of a scenario.
func fileOf(dir *rundir.Dir, g sweep.Generated) func(name string) string {
	return func(name string) string { return filepath.Join(dir.File(g.Scenario.Name), filepath.FromSlash(name)) }
}

// removeTry removes what an earlier try left of its scenarios: with fewer objects there may be fewer of them.
func removeTry(dir *rundir.Dir, all []sweep.Generated) error {
	var problems []error
	for _, g := range all {
		for name := range g.Files {
			problems = append(problems, os.RemoveAll(dir.File(filepath.Join("scenarios", filepath.FromSlash(name)))))
		}
		problems = append(problems, os.RemoveAll(dir.File(g.Scenario.Name)))
	}
	return errors.Join(problems...)
}

// keep writes the files of a scenario, from which anybody plays it again.
func (s lapRun) keep(g sweep.Generated) error {
	for name, content := range g.Files {
		at := s.dir.File(filepath.Join("scenarios", filepath.FromSlash(name)))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
