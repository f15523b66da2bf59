package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/hints"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/engine/request"
	"github.com/skewsim/skewsim/sim/generate"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Namespace is where objects are tried before they are played.
const Namespace = "skewsim-sweep"

// prepare makes the builds, and reads what their source has.
func prepare(ctx context.Context, h Host, r Request) (*session, error) {
	if err := r.Check(); err != nil {
		return nil, fault.ByUser(err)
	}
	s := &session{host: h, request: r, sources: map[term.Role]source.Facts{}, missing: map[term.Role][]string{}, examples: map[term.Role]examples.All{}, plain: map[term.Role]published.Release{}, settingsOf: map[term.Lap]sweep.Settings{}, aside: map[string]bool{}}
	var err error
	if s.held, err = r.hold(); err != nil {
		return nil, fault.ByUser(err)
	}
	if s.given, err = r.given(); err != nil {
		return nil, fault.ByUser(err)
	}
	if s.refs, err = r.refs(); err != nil {
		return nil, fault.ByUser(err)
	}
	if err := engine.Reachable(ctx, h.Builds, r.Store); err != nil {
		return nil, err
	}
	if s.builds, err = h.Engine.Servers(ctx, []servers.Reference{s.refs[term.Old], s.refs[term.New]}); err != nil {
		return nil, err
	}
	built := pairing.Pair{Old: request.BuiltRelease(s.builds[term.Old]), New: request.BuiltRelease(s.builds[term.New])}
	if err := built.Check(); err != nil {
		return nil, fault.ByUser(err)
	}
	s.began = time.Now()
	s.result = sweep.Result{SchemaVersion: sweep.SchemaVersion, Date: scenarios.Day(s.began), Command: r.Command, Seed: r.Seed}
	s.resolve()
	return s, s.read(ctx)
}

// refs returns the references of the pair, and refuses a pair in the wrong order.
func (r Request) refs() (map[term.Role]servers.Reference, error) {
	old, new, err := servers.ParsePair(r.Pair)
	if err = cmp.Or(err, request.Adapt(r.Adapter, &old, &new), request.OnServer(r.Server, &old, &new)); err != nil {
		return nil, err
	}
	return map[term.Role]servers.Reference{term.Old: old, term.New: new}, pairing.Pair{Old: request.ReleaseOf(old), New: request.ReleaseOf(new)}.Check()
}

// errLapsDecide is the error for a stage of gates.
var errLapsDecide = errors.New("a sweep plays one lap with all gates on, and one without: switch single gates instead")

// given returns the options of both releases' servers as the user gives them.
func (r Request) given() (map[term.Role]scenarios.Options, error) {
	all := map[term.Role]scenarios.Options{}
	var problems []error
	for role, given := range r.Options.ByRole() {
		o, err := given.Parse(role)
		if given.GateStage != "" {
			err = errors.Join(err, fault.Optionf("{"+string(role)+"-gate-stage}: %w", errLapsDecide))
		}
		problems, all[role] = append(problems, err), o
	}
	return all, errors.Join(problems...)
}

// resolve replaces the word old in emulated versions by the old release.
func (s *session) resolve() {
	for role, o := range s.given {
		for _, version := range []*string{&o.EmulatedVersion, &o.MinCompatibilityVersion} {
			if *version == string(term.Old) {
				*version = plan.MinorOf(s.builds[term.Old].Version)
			}
			*version = strings.TrimPrefix(*version, "v")
		}
		s.given[role] = o
	}
}

// read reads what the source of both releases has, and the hints for them.
func (s *session) read(ctx context.Context) error {
	for role, b := range s.builds {
		facts, has, err := s.host.Facts(ctx, b)
		switch {
		case err != nil:
			s.missing[role] = []string{fmt.Sprintf("%s: its source cannot be read: %v; what only source says is not compared", b.Reference, err)}
		case !has && b.Installs == nil:
			s.missing[role] = []string{b.Reference + ": no source is at hand, so defaults of gates, +k8s: rules, protobuf numbers, admission plug-ins, roles and field selectors are not compared"}
		}
		s.sources[role] = facts
		found, err := s.host.Examples(ctx, b, Namespace)
		if err != nil {
			s.host.Warn(fmt.Sprintf("%s: its source cannot be read: %v; objects are made of what it publishes", b.Reference, err))
		}
		s.examples[role] = found
	}
	return s.readHints()
}

func (s *session) readHints() error {
	all, err := hints.Of(s.builds[term.New].Component)
	for _, h := range all {
		s.hints = append(s.hints, generate.Hint{APIVersion: h.APIVersion, Kind: h.Kind, Path: h.Path, Value: h.Value, Object: h.Object, Needs: h.Needs, Gates: h.Gates, Why: h.Why})
	}
	return err
}
