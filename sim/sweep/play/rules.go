package play

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/hints"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/sweep"
)

// tryRules tries on the servers of a lap what the releases state differently: rules that they
// state, and values that hints name for gates and for hand-written validation. It returns an
// object for each change that they answer differently, and all answers by row.
func (s lapRun) tryRules(ctx context.Context) ([]sweep.Object, map[string]try.Result, error) {
	var stated []try.RuleTarget
	err := within(ctx, func(ctx context.Context) (err error) { stated, err = s.statedRules(ctx); return err })
	if err != nil {
		return nil, nil, err
	}
	hinted, err := s.hintedValues()
	if err != nil {
		return nil, nil, err
	}
	targets := append(hinted, stated...)
	if len(targets) == 0 {
		return nil, nil, nil
	}
	var results []try.Result
	err = within(ctx, func(ctx context.Context) (err error) {
		results, err = try.TryRules(ctx, ruleServer(s.at[term.Old]), ruleServer(s.at[term.New]), targets)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	tried := merged(results)
	var objects []sweep.Object
	for _, row := range s.rows {
		if r, has := tried[row.ID]; has {
			objects = append(objects, sweep.RuleObjects(row, r)...)
		}
	}
	s.say("%s: %d rules and hints tried, %d changes answered differently", s.lap, len(targets), len(objects))
	return objects, tried, nil
}

func ruleServer(at *asked) try.RuleServer {
	return try.RuleServer{Server: at.tried, Resources: at.Resources, Namespace: Namespace}
}

// statedRules returns the rules that rows are about, each with a valid object of either release.
func (s lapRun) statedRules(ctx context.Context) (all []try.RuleTarget, err error) {
	wanted := s.firstOfEach(sweep.RuleTargets(s.rows, s.lap))
	specimens := make([]try.Specimen, len(wanted))
	for _, role := range []term.Role{term.Old, term.New} {
		var missing []int
		var targets []try.Target
		for i, t := range wanted {
			if specimens[i].Object == nil {
				missing, targets = append(missing, i), append(targets, t.Target)
			}
		}
		maker := s.exerciser(role)
		maker.Made = s.counts(fmt.Sprintf("objects of the %s release for rules", role), len(targets))
		found, err := try.Specimens(ctx, maker, targets)
		if err != nil {
			return nil, err
		}
		for i, specimen := range found {
			specimens[missing[i]] = specimen
		}
	}
	for i, t := range wanted {
		for _, id := range t.Rows {
			row := s.rowByID(id)
			specimens[i].ID = id
			if names := sweep.NameRules(row); len(names) > 0 {
				for _, stated := range names {
					of := try.RuleTarget{Specimen: specimens[i], Name: stated[0], Old: stated[1], New: stated[2]}
					of.Path, of.Held = ".metadata.name", ".metadata.name"
					all = append(all, of)
				}
				continue
			}
			all = append(all, try.RuleTarget{Specimen: specimens[i], Name: row.Name, Old: row.Old, New: row.New, Whole: row.Path == "", Parts: row.Difference.Difference == term.ListChanged})
		}
	}
	return all, nil
}

// rowByID returns the row from which a target has an ID.
func (s lapRun) rowByID(id string) sweep.Row {
	return s.rows[slices.IndexFunc(s.rows, func(r sweep.Row) bool { return r.ID == id })]
}

// firstOfEach orders targets so that one place of each rule comes before the other places of any: the time may not
// suffice for all of them, where a definition has the same type in many places.
func (s lapRun) firstOfEach(all []sweep.Target) []sweep.Target {
	seen := map[[4]string]int{}
	nth := make(map[string]int, len(all))
	for _, t := range all {
		row := s.rowByID(t.Rows[0])
		rule := [4]string{row.Name, row.Old, row.New, row.Path[strings.LastIndexByte(row.Path, '.')+1:]}
		nth[t.Rows[0]] = seen[rule]
		seen[rule]++
	}
	slices.SortStableFunc(all, func(a, b sweep.Target) int { return cmp.Compare(nth[a.Rows[0]], nth[b.Rows[0]]) })
	return all
}

// counts returns a function that counts long work, and tells how far it is.
func (s lapRun) counts(what string, of int) func() {
	const pause = 10 * time.Second
	var mu sync.Mutex
	done, told := 0, time.Now()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; done < of && time.Since(told) >= pause {
			told = time.Now()
			s.say("%s: %d of %d %s", s.lap, done, of, what)
		}
	}
}

// hintedValues returns the values that hints name for the rows: for gates, and for hand-written
// validation.
func (s lapRun) hintedValues() (all []try.RuleTarget, err error) {
	for _, row := range s.rows {
		fitting := hints.Between(s.hints, "", "", []string{row.Name})
		if row.Name == handWritten {
			fitting = slices.DeleteFunc(slices.Clone(s.hints), func(h hints.Hint) bool { return !isHandWritten(row.Difference, h) })
		}
		for _, h := range fitting {
			object, err := h.Untreated()
			if err != nil {
				return nil, err
			}
			all = append(all, try.RuleTarget{Specimen: try.Specimen{
				Target: try.Target{ID: row.ID, APIVersion: h.APIVersion, Kind: h.Kind, Path: h.Path, Value: h.Value},
				Object: object, Needs: h.Needs, Origin: term.OriginHint,
			}, Values: []any{h.Value}})
		}
	}
	return all, nil
}

// handWritten names the differences that only hints know.
const handWritten = "hand-written validation"

// addHinted adds to a comparison what only hints know: places of gates in kinds for which no tag names
// one, such as values of a field, and hand-written validation that changed without a gate.
func addHinted(d *diff.Result, known []hints.Hint, builds map[term.Role]servers.Build) {
	for i := range d.Differences {
		of := &d.Differences[i]
		if !of.Difference.IsGate() {
			continue
		}
		for _, h := range hints.Between(known, "", "", []string{of.Name}) {
			if !slices.ContainsFunc(of.Places, func(p diff.Place) bool { return p.APIVersion == h.APIVersion && p.Kind == h.Kind }) {
				of.Places, of.Playable = append(of.Places, placeOf(h)), true
			}
		}
	}
	for _, h := range hints.Between(known, builds[term.Old].Version, builds[term.New].Version, nil) {
		at := diff.Difference{Difference: term.RuleChanged, Version: h.APIVersion, Kind: h.Kind, Path: h.Path, Name: handWritten, New: h.Why, Playable: true, Places: []diff.Place{placeOf(h)}}
		if group, version, grouped := strings.Cut(h.APIVersion, "/"); grouped {
			at.Group, at.Version = group, version
		}
		d.Differences = append(d.Differences, at)
	}
}

func placeOf(h hints.Hint) diff.Place {
	return diff.Place{APIVersion: h.APIVersion, Kind: h.Kind, Path: h.Path}
}

func isHandWritten(d diff.Difference, h hints.Hint) bool {
	return d.Name == handWritten && d.Kind == h.Kind && d.Path == h.Path
}

// merged returns results by row. A row may have several targets.
func merged(all []try.Result) map[string]try.Result {
	by := map[string]try.Result{}
	for _, r := range all {
		of, has := by[r.Target]
		if !has {
			by[r.Target] = r
			continue
		}
		of.Trials = append(of.Trials, r.Trials...)
		of.Sent, of.BothAccept, of.BothRefuse, of.Dropped = of.Sent+r.Sent, of.BothAccept+r.BothAccept, of.BothRefuse+r.BothRefuse, of.Dropped+r.Dropped
		of.Unanswered += r.Unanswered
		if of.Reason == "" || r.Reason == "" {
			of.Reason = ""
		}
		by[r.Target] = of
	}
	return by
}
