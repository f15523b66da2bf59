package agreement

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/requests"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// metadata.generation counts the changes of a spec. If one release does not count them for a kind
// and the other does, a client that waits for the generation to move may wait forever: the same
// call moves it through one replica, and not through the other.

// specChange is a write that changed a named path of the spec.
type specChange struct {
	l       *trace.Timeline
	step    int
	role    term.Role
	counted bool // whether the generation moved
}

// specChanges returns the changes of each kind, in the order of copies and steps.
func specChanges(ev *evidence.Evidence) map[string][]specChange {
	all := map[string][]specChange{}
	for _, tl := range ev.Timelines {
		for i := range tl.Versions {
			v := &tl.Versions[i]
			act, known := ev.Acts[v.Step]
			was := tl.Previous(v)
			if !known || was == nil || v.Change.Deleted || !act.Exchange.Succeeded() {
				continue
			}
			before, after := evidence.ViewBy(was, act.Role), evidence.ViewBy(v, act.Role)
			from, to := evidence.Generation(ev, before), evidence.Generation(ev, after)
			if from == "" || to == "" || !changesSpec(ev, tl, v.Step, before, after) {
				continue
			}
			kind := tl.Manifest.APIVersion + " " + tl.Manifest.Kind
			all[kind] = append(all[kind], specChange{tl, v.Step, act.Role, from != to})
		}
	}
	return all
}

// changesSpec reports whether an answer shows another value than the previous one at a path of
// the spec that the step names.
func changesSpec(ev *evidence.Evidence, tl *trace.Timeline, number int, before, after string) bool {
	was, is := ev.LeavesOf(tl, before), ev.LeavesOf(tl, after)
	names := requests.NamedPaths(tl.Manifest.Kind, ev.Steps[number].Step)
	return slices.ContainsFunc(trace.Union(was, is), func(name string) bool {
		p := is[name].Path
		if p == nil {
			p = was[name].Path
		}
		return evidence.IsOfSpec(p) && !trace.IsServedAlike(was[name], is[name]) &&
			slices.ContainsFunc(names, func(own fieldpath.Path) bool { return path.Contains(own, p) })
	})
}

// standStill returns, for each kind whose spec changes one release never counts although the
// other does, the first change that was not counted, with one that was.
func standStill(ev *evidence.Evidence) (all [][2]specChange, facts int) {
	changes := specChanges(ev)
	for _, kind := range slices.Sorted(maps.Keys(changes)) {
		facts += len(changes[kind])
		for _, role := range trace.NewestFirst() {
			first := func(role term.Role, counted bool) int {
				return slices.IndexFunc(changes[kind], func(c specChange) bool { return c.role == role && c.counted == counted })
			}
			still, counts := first(role, false), first(role.Other(), true)
			if still >= 0 && counts >= 0 && first(role, true) < 0 {
				all = append(all, [2]specChange{changes[kind][still], changes[kind][counts]})
			}
		}
	}
	return all, facts
}

// judgeGenerations reports the kinds whose generation does not move in one release. It breaks
// rule-2 if the new release stopped counting. If the old one does not count yet, it is an
// expected impact as long as its replicas serve.
func judgeGenerations(ev *evidence.Evidence, j *finding.Judged) {
	all, facts := standStill(ev)
	j.Facts += facts
	for _, c := range all {
		still, counts := c[0], c[1]
		f := finding.New(ev, still.l, term.CheckRule2, still.step)
		f.Path, f.State, f.Generation = ".metadata.generation", term.Varies, term.Unmoved
		f.Class, f.Rule = term.Violation, term.Rule2
		if still.role == term.Old {
			f.Class = term.Impact
		}
		f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) changed the spec, and metadata.generation stayed; it moved in %s; %s under %s",
			f.Kind, f.Copy, f.Step, f.Stage, finding.StepText(ev, f.Step), finding.ReferenceText(ev, counts.step), f.Class, f.Rule)
		j.Findings = append(j.Findings, f)
	}
}

// standsStill reports whether the generation of some kind does not move in one release only.
func standsStill(ev *evidence.Evidence) bool {
	all, _ := standStill(ev)
	return len(all) > 0
}
