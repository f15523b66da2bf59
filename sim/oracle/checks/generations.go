package checks

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
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
func specChanges(ev *trace.Evidence) map[string][]specChange {
	all := map[string][]specChange{}
	for _, tl := range ev.Timelines {
		for i := range tl.Versions {
			v := &tl.Versions[i]
			act, known := ev.Acts[v.Step]
			was := tl.Previous(v)
			if !known || was == nil || v.Change.Deleted || !act.Exchange.Succeeded() {
				continue
			}
			before, after := trace.ViewBy(was, act.Role), trace.ViewBy(v, act.Role)
			from, to := trace.Generation(ev, before), trace.Generation(ev, after)
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
func changesSpec(ev *trace.Evidence, tl *trace.Timeline, number int, before, after string) bool {
	was, is := ev.LeavesOf(tl, before), ev.LeavesOf(tl, after)
	names := trace.NamedPaths(tl.Manifest.Kind, ev.Steps[number].Step)
	return slices.ContainsFunc(trace.Union(was, is), func(name string) bool {
		p := is[name].Path
		if p == nil {
			p = was[name].Path
		}
		return trace.IsOfSpec(p) && !trace.IsServedAlike(was[name], is[name]) &&
			slices.ContainsFunc(names, func(own fieldpath.Path) bool { return path.Contains(own, p) })
	})
}

// standStill returns, for each kind whose spec changes one release never counts although the
// other does, the changes of its objects that were not counted: of each object the first, with one
// that was. Where copies of an object show both, its own run shows them too; only if no object
// does are two of different objects compared.
func standStill(ev *trace.Evidence) (all [][2]specChange, facts int) {
	changes := specChanges(ev)
	for _, kind := range slices.Sorted(maps.Keys(changes)) {
		facts += len(changes[kind])
		for _, role := range trace.NewestFirst() {
			if _, counts := firstChange(changes[kind], role, true); counts {
				continue
			}
			var own [][2]specChange
			for _, of := range byObject(changes[kind]) {
				own = append(own, stillBeside(of, role)...)
			}
			if len(own) == 0 {
				own = stillBeside(changes[kind], role)
			}
			all = append(all, own...)
		}
	}
	return all, facts
}

// stillBeside returns the first change that a release does not count, with the first that the
// other one counts; none if there are not both.
func stillBeside(changes []specChange, role term.Role) [][2]specChange {
	still, stays := firstChange(changes, role, false)
	counted, counts := firstChange(changes, role.Other(), true)
	if !stays || !counts {
		return nil
	}
	return [][2]specChange{{still, counted}}
}

// firstChange returns the first change through a release that moved the generation or did not.
func firstChange(changes []specChange, role term.Role, counted bool) (specChange, bool) {
	i := slices.IndexFunc(changes, func(c specChange) bool { return c.role == role && c.counted == counted })
	if i < 0 {
		return specChange{}, false
	}
	return changes[i], true
}

// byObject groups changes by the scenario's object, in the order in which the objects changed.
func byObject(changes []specChange) (all [][]specChange) {
	at := map[string]int{}
	for _, c := range changes {
		i, known := at[c.l.Copy.Object]
		if !known {
			i = len(all)
			at[c.l.Copy.Object] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], c)
	}
	return all
}

// judgeGenerations reports the objects whose generation does not move in one release. It breaks
// rule-2 if the new release stopped counting. If the old one does not count yet, it is an
// expected impact as long as its replicas serve.
func judgeGenerations(ev *trace.Evidence, j *blame.Judged) {
	all, facts := standStill(ev)
	j.Facts += facts
	for _, c := range all {
		still, counts := c[0], c[1]
		f := blame.NewCollector(ev, still.l, term.CheckRule2, still.step)
		f.Path, f.Outcome, f.Generation = ".metadata.generation", term.Varies, term.Unmoved
		f.Class, f.Rule = term.Violation, term.Rule2
		if still.role == term.Old {
			f.Class = term.Impact
		}
		f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) changed the spec, and metadata.generation stayed; it moved in %s; %s under %s",
			f.Kind, f.Copy, f.Step, f.Stage, blame.StepText(ev, f.Step), blame.ReferenceText(ev, counts.step), f.Class, f.Rule)
		j.Findings = append(j.Findings, f)
	}
}

// standsStill reports whether the generation of some kind does not move in one release only.
func standsStill(ev *trace.Evidence) bool {
	all, _ := standStill(ev)
	return len(all) > 0
}
