package oracle

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// metadata.generation counts the changes of a spec. A release that does not count them for a
// kind, beside one that does, leaves whoever waits for it waiting: the same call is seen
// through one replica, and not through the other.

// specChange is a write that changed, of the spec, what it names.
type specChange struct {
	l       *life
	step    int
	role    term.Role
	counted bool // whether the generation moved
}

// specChanges are those of a kind, in the order of copies and steps.
func (e *evidence) specChanges() map[string][]specChange {
	all := map[string][]specChange{}
	for _, l := range e.byCopy {
		for i := range l.versions {
			v := &l.versions[i]
			act, known := e.acts[v.step]
			was := l.previous(v)
			if !known || was == nil || v.change.Deleted || !act.Exchange.Succeeded() {
				continue
			}
			before, after := viewBy(was, act.Role), viewBy(v, act.Role)
			from, to := e.generation(before), e.generation(after)
			if from == "" || to == "" || !e.changesSpec(l, v.step, before, after) {
				continue
			}
			kind := l.manifest.APIVersion + " " + l.manifest.Kind
			all[kind] = append(all[kind], specChange{l, v.step, act.Role, from != to})
		}
	}
	return all
}

// changesSpec reports whether an answer shows another value than the one before at a place of
// the spec that the step names.
func (e *evidence) changesSpec(l *life, number int, before, after string) bool {
	was, is := e.leavesOf(l, before), e.leavesOf(l, after)
	names := named(l.manifest.Kind, e.steps[number].step)
	return slices.ContainsFunc(union(was, is), func(name string) bool {
		p := is[name].Path
		if p == nil {
			p = was[name].Path
		}
		return ofSpec(p) && !alikeServed(was[name], is[name]) &&
			slices.ContainsFunc(names, func(own fieldpath.Path) bool { return path.Contains(own, p) })
	})
}

// standStill are the kinds whose spec changes one release never counts, and the other does:
// of each the first change that was not counted, with one that was.
func (e *evidence) standStill() (all [][2]specChange, facts int) {
	changes := e.specChanges()
	for _, kind := range slices.Sorted(maps.Keys(changes)) {
		facts += len(changes[kind])
		for _, role := range newestFirst() {
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

// judgeGenerations reports the kinds whose generation stands still in one release. It breaks
// rule-2 where the new release stopped counting; that the old one does not count yet is to be
// expected, as long as its replicas serve.
func (e *evidence) judgeGenerations(j *judged) {
	all, facts := e.standStill()
	j.facts += facts
	for _, c := range all {
		still, counts := c[0], c[1]
		f := e.finding(still.l, term.CheckRule2, still.step)
		f.Path, f.State, f.Generation = ".metadata.generation", term.Varies, term.Unmoved
		f.Class, f.Rule = term.Violation, term.Rule2
		if still.role == term.Old {
			f.Class = term.Impact
		}
		f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) changed the spec, and metadata.generation stayed; it moved in %s; %s under %s",
			f.Kind, f.Copy, f.Step, f.Stage, e.made(f.Step), e.referred(counts.step), f.Class, f.Rule)
		j.findings = append(j.findings, f)
	}
}

// standsStill reports whether the generation of some kind stands still in one release alone.
func (e *evidence) standsStill() bool {
	all, _ := e.standStill()
	return len(all) > 0
}
