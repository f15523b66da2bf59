package sweep

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// OtherManager is the field manager that applies the object a second time.
const OtherManager = "skewsim-other"

// OfferedSuffix ends the name of an object that holds what its target's object holds, and that
// the other release is offered.
const OfferedSuffix = "-offered"

// Writing makes the lines of one object.
type Writing struct {
	ID                   string
	Own, Other           []scenarios.Target // the release that has the difference, and the other one
	At                   Stages
	ownTyped, otherTyped term.Client
	ownApply, otherApply term.Client
	custom               bool // custom resources have no strategic merge patch
}

// LinesOf returns what makes the lines of an object of that release.
func LinesOf(id string, own term.Role, oneDefinition bool) Writing {
	return Writing{
		ID: id, Own: target(own), Other: target(own.Other()), At: StagesOf(own, oneDefinition),
		ownTyped: typedOf(own), otherTyped: typedOf(own.Other()), ownApply: applyOf(own), otherApply: applyOf(own.Other()), custom: oneDefinition,
	}
}

// Born creates the object. With a declared answer a refusal costs the object, and does not end the run.
func (w Writing) Born() scenarios.Line {
	return w.Line(scenarios.Line{Create: w.ID, Via: w.Own, Respond: &scenarios.Respond{}}, w.At.Created)
}

// Line is a line at one stage.
func (Writing) Line(l scenarios.Line, at string) scenarios.Line {
	l.At = []string{at}
	return l
}

// Changed sends a change of a stored object through each release.
func (w Writing) Changed(fields map[string]any, part string) []scenarios.Line {
	change := scenarios.Line{Set: w.ID, Verb: []term.Verb{term.Put, term.MergePatch}, Fields: fields, Subresource: part}
	if slices.Contains(slices.Collect(maps.Values(fields)), nil) {
		change.Verb = []term.Verb{term.MergePatch} // a PUT without a field may be that of a client that does not know it
	}
	return w.throughEach(change, w.At.Typed)
}

// throughEach is a line through the object's own release at a stage, and through the other one.
func (w Writing) throughEach(l scenarios.Line, at string) []scenarios.Line {
	own, other := l, l
	own.Via, other.Via = w.Own, w.Other
	return []scenarios.Line{w.Line(own, at), w.Line(other, w.At.Mixed)}
}

// Scaled scales a stored object through each release, and changes a label of it through the other one.
func (w Writing) Scaled() []scenarios.Line {
	return append(w.throughEach(scenarios.Line{Touch: w.ID, Verb: []term.Verb{term.ScalePatch}}, w.At.Typed), w.ByOtherServer())
}

// ScaledTo is the number that an object is scaled to whose scale may write another field.
const ScaledTo = 7

// ScaledField scales a stored object through each release, and reads the field that its own release scales.
func (w Writing) ScaledField(field string) []scenarios.Line {
	scale := scenarios.Line{Set: w.ID, Verb: []term.Verb{term.ScalePatch}, Fields: map[string]any{path.String(plan.ReplicasPath()): int64(ScaledTo)}}
	all := w.throughEach(scale, w.At.Typed)
	for i := range all {
		all[i].Then = []scenarios.Line{{Get: w.ID, Via: all[i].Via, Respond: &scenarios.Respond{Fields: map[string]any{field: int64(ScaledTo)}}}}
	}
	return append(all, w.ByOtherServer())
}

// Selected LISTs objects by a field through each release.
func (w Writing) Selected(selectors []string) []scenarios.Line {
	if len(selectors) == 0 {
		return nil
	}
	return w.throughEach(scenarios.Line{List: w.ID, FieldSelector: selectors}, w.At.Created)
}

// Shared has one manager add a part of a list or map, and another one apply the object without it, through
// each release.
func (w Writing) Shared(part map[string]any) []scenarios.Line {
	if len(part) == 0 {
		return nil
	}
	add := scenarios.Line{Set: w.ID, Verb: []term.Verb{term.Put}, Fields: part, Via: w.Own}
	apply := func(by term.Client, via []scenarios.Target, at string) scenarios.Line {
		added := w.Line(add, w.At.Created)
		then := scenarios.Line{Touch: w.ID, Client: []term.Client{by}, Via: via, Verb: []term.Verb{term.Apply}, Manager: []string{OtherManager}}
		if at != w.At.Created {
			then.At = []string{at}
		}
		added.Then = []scenarios.Line{then}
		return added
	}
	return []scenarios.Line{apply(w.ownApply, w.Own, w.At.Typed), apply(w.otherApply, w.Other, w.At.Mixed)}
}

// InOthers changes a label in other versions of the kind, which may have no place for a value.
func (w Writing) InOthers(via []scenarios.Target, versions []string, at string) scenarios.Line {
	return w.Line(scenarios.Line{Touch: w.ID, Via: via, Verb: []term.Verb{term.Put}, APIVersion: versions}, at)
}

// offered writes the object that the other release is offered, through that release and while it serves.
func (w Writing) offered() Writing {
	w.ID += OfferedSuffix
	w.Own, w.At.Created, w.At.Typed = w.Other, w.At.Mixed, w.At.Mixed
	return w
}

// OfferedInOthers creates the object through the other release and writes it there in other versions of the kind. What
// its own release created, the program of that one converted: only so does the other release's convert from the
// object's version to each of the others, and back.
func (w Writing) OfferedInOthers(versions []string) []scenarios.Line {
	o := w.offered()
	return []scenarios.Line{o.Born(), o.InOthers(o.Own, versions, o.At.Created)}
}

// StatusInOthers writes a status through each release, and then the object and its status in the other versions that the
// release serves. What the old release stored is also written through the new one, in the object's own version too.
func (w Writing) StatusInOthers(fields map[string]any, t Target) (lines []scenarios.Line) {
	if len(fields) == 0 {
		return nil
	}
	set := func(by Writing, then scenarios.Line, at string) scenarios.Line {
		if then.Touch = by.ID; at != by.At.Created {
			then.At = []string{at}
		}
		return by.Line(scenarios.Line{Set: by.ID, Subresource: term.StatusPart, Verb: []term.Verb{term.Put}, Via: by.Own, Fields: fields, Then: []scenarios.Line{then}}, by.At.Created)
	}
	put := []term.Verb{term.Put}
	each := func(by Writing, versions []string) scenarios.Line {
		return set(by, scenarios.Line{Via: by.Own, Verb: []term.Verb{term.Put, term.StatusPut}, APIVersion: versions}, by.At.Created)
	}
	if len(t.OwnOthers) > 0 {
		lines = append(lines, each(w, t.OwnOthers))
	}
	if t.Alone {
		return lines
	}
	o := w.offered()
	return append(lines,
		set(w, scenarios.Line{Via: w.Other, Verb: put, APIVersion: t.Others}, w.At.Mixed),
		set(w, scenarios.Line{Via: w.Other, Verb: put}, w.At.Mixed),
		o.Born(), each(o, t.Others))
}

// ByOtherServer changes a label by each verb, through the other release.
func (w Writing) ByOtherServer() scenarios.Line {
	return w.Line(scenarios.Line{Touch: w.ID, Via: w.Other, Verb: w.verbs()}, w.At.Mixed)
}

// verbs are the verbs by which a client without types writes. A merge patch of a condition would
// replace all conditions by its own, so the status is written with a PUT.
func (w Writing) verbs() []term.Verb {
	verbs := []term.Verb{term.Put, term.MergePatch, term.JSONPatch, term.StatusPut}
	if !w.custom {
		verbs = append(verbs, term.StrategicPatch)
	}
	return verbs
}

// ByOtherClient is a PUT through the object's own release, by a typed client of the other one.
func (w Writing) ByOtherClient() scenarios.Line {
	return w.Line(scenarios.Line{Touch: w.ID, Client: []term.Client{w.otherTyped}, Read: w.Own, Via: w.Own, Verb: []term.Verb{term.Put}}, w.At.Typed)
}

// ByOtherManager applies what the other release knows of the object, as another manager.
func (w Writing) ByOtherManager() scenarios.Line {
	return w.Line(scenarios.Line{
		Touch: w.ID, Client: []term.Client{w.otherApply}, Via: w.Other, Verb: []term.Verb{term.Apply}, Manager: []string{OtherManager},
	}, w.At.Mixed)
}

// Zero sends a zero in place of the value: a server that takes it for none replaces it by the
// default.
func (w Writing) Zero(at string, zero any) scenarios.Line {
	return w.Line(scenarios.Line{Set: w.ID, Via: w.Own, Verb: []term.Verb{term.Put}, Fields: map[string]any{at: zero}}, w.At.Created)
}

// Offered creates the object through the other release, with each field validation, which says what becomes of a field that
// it does not know.
func (w Writing) Offered() scenarios.Line {
	l := w.OfferedPlainly()
	l.FieldValidation = []term.FieldValidation{term.Ignore, term.Warn, term.Strict}
	return l
}

// OfferedPlainly creates the object through the other release, as clients do by default.
func (w Writing) OfferedPlainly() scenarios.Line {
	return w.Line(scenarios.Line{Create: w.ID + OfferedSuffix, Via: w.Other, Respond: &scenarios.Respond{}}, w.At.Mixed)
}

// Baseline writes an object that uses no difference through both releases, by clients of both, and
// in other versions. The planner adds control copies for each verb, so there is one.
func (w Writing) Baseline(others []string) []scenarios.Line {
	lines := []scenarios.Line{
		w.Line(scenarios.Line{Touch: w.ID, Via: w.Other, Verb: []term.Verb{term.Put}}, w.At.Mixed),
		w.Line(scenarios.Line{
			Touch: w.ID, Client: []term.Client{term.NewTyped}, Read: w.Own, Via: w.Own, Verb: []term.Verb{term.Put}, FieldValidation: []term.FieldValidation{term.Strict},
		}, w.At.Typed),
		w.Line(scenarios.Line{Touch: w.ID, Client: []term.Client{w.ownTyped}, Read: w.Other, Via: w.Other, Verb: []term.Verb{term.Put}}, w.At.Mixed),
	}
	if len(others) > 0 {
		lines = append(lines, w.InOthers(w.Other, others, w.At.Mixed))
	}
	return append(lines, w.Line(scenarios.Line{Get: w.ID, Via: w.Own}, StageRolledBack))
}

// Alone writes an object of a version that the other release does not serve: through its own
// release, and through the version that the other one prefers if it serves the kind. Clients of a
// version that went do not know it.
func (w Writing) Alone(withdrawn, elsewhere bool) []scenarios.Line {
	lines := []scenarios.Line{
		w.Line(scenarios.Line{Touch: w.ID, Via: w.Own, Verb: []term.Verb{term.Put, term.MergePatch}}, w.At.Created),
		w.Line(scenarios.Line{List: w.ID, Via: w.Own}, w.At.Created),
	}
	if withdrawn {
		lines = append(lines, w.Line(scenarios.Line{Touch: w.ID, Via: w.Other, Verb: []term.Verb{term.MergePatch}, Respond: &scenarios.Respond{}}, w.At.Mixed))
	}
	if !elsewhere {
		return lines
	}
	return append(lines,
		w.Line(scenarios.Line{Touch: w.ID, Via: w.Other, Verb: []term.Verb{term.Put, term.MergePatch}, APIVersion: []string{string(term.Preferred)}}, w.At.Mixed),
		w.Line(scenarios.Line{Get: w.ID, Via: w.Other, APIVersion: []string{string(term.Preferred)}}, w.At.Mixed))
}

// Preferred writes an object through the old release, in the version that the new one prefers: a
// client of a cluster with both asks either.
func (w Writing) Preferred() scenarios.Line {
	return w.Line(scenarios.Line{
		Touch: w.ID, Client: []term.Client{term.Dynamic}, Read: target(term.New), Via: target(term.Old), Verb: []term.Verb{term.Put, term.MergePatch}, APIVersion: []string{string(term.Preferred)},
	}, w.At.Mixed)
}

// Absent writes an object that does not have a field through both releases. A default does not
// depend on the verb, so there is one, for the sake of the control copies.
func (w Writing) Absent() []scenarios.Line {
	verbs := []term.Verb{term.MergePatch}
	lines := []scenarios.Line{w.Line(scenarios.Line{Touch: w.ID, Via: w.Other, Verb: verbs}, w.At.Mixed)}
	if w.At.Mixed == StageMixed {
		lines = append(lines, w.Line(scenarios.Line{Touch: w.ID, Via: w.Own, Verb: verbs}, w.At.Mixed))
	}
	if w.Own[0] == scenarios.Target(term.Old) {
		lines = append(lines, w.Line(scenarios.Line{Get: w.ID, Via: w.Own}, StageRolledBack))
	}
	return append(lines, w.Offered())
}

// Part writes a subresource through the object's own release, and then treats the copy.
func (w Writing) Part(part string, fields, beside map[string]any) []scenarios.Line {
	if len(fields) == 0 {
		return nil // the subresource is not written: the object alone is there
	}
	set := func(at string, then ...scenarios.Line) scenarios.Line {
		return w.Line(scenarios.Line{Set: w.ID, Subresource: part, Verb: []term.Verb{term.Put}, Via: w.Own, Fields: fields, Then: then}, at)
	}
	typed := []term.Verb{term.Put}
	if part == term.StatusPart {
		typed = []term.Verb{term.StatusPut}
	}
	lines := []scenarios.Line{
		set(w.At.Typed, scenarios.Line{Touch: w.ID, Client: []term.Client{w.otherTyped}, Read: w.Own, Via: w.Own, Verb: typed}),
		set(w.At.Created),
	}
	met := func(then scenarios.Line) scenarios.Line {
		if w.custom { // there is no stage with both: what was written at one is met by the other's definition
			then.At = []string{w.At.Mixed}
			return set(w.At.Created, then)
		}
		return set(w.At.Mixed, then)
	}
	lines = append(lines, met(scenarios.Line{Touch: w.ID, Via: w.Other, Verb: w.verbs()}))
	if w.At.Alone != "" {
		lines = append(lines, set(w.At.Created, scenarios.Line{Touch: w.ID, Via: w.Other, Verb: []term.Verb{term.MergePatch}, At: []string{w.At.Alone}}))
	}
	if len(beside) > 0 {
		change := scenarios.Line{Set: w.ID, Subresource: part, Verb: []term.Verb{term.Put}, Fields: beside, Via: w.Own}
		lines = append(lines, set(w.At.Created, change))
		change.Via = w.Other
		lines = append(lines, met(change))
	}
	offer := w.Line(scenarios.Line{
		Set: w.ID, Subresource: part, Verb: []term.Verb{term.Put}, Via: w.Other, Fields: fields,
		FieldValidation: []term.FieldValidation{term.Ignore, term.Warn, term.Strict},
	}, w.At.Mixed)
	return append(lines, offer)
}

func target(r term.Role) []scenarios.Target { return []scenarios.Target{scenarios.Target(r)} }

func typedOf(r term.Role) term.Client {
	if r == term.Old {
		return term.OldTyped
	}
	return term.NewTyped
}

func applyOf(r term.Role) term.Client {
	if r == term.Old {
		return term.OldApply
	}
	return term.NewApply
}

// Besides changes a field beside the value, through each release.
func (w Writing) Besides(fields map[string]any) []scenarios.Line {
	if len(fields) == 0 {
		return nil
	}
	return w.throughEach(scenarios.Line{Set: w.ID, Verb: []term.Verb{term.Put}, Fields: fields}, w.At.Created)
}
