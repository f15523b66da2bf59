package sweep

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/stages"
)

// otherManager is the field manager that applies the object a second time.
const otherManager = "skewsim-other"

// treatments are the lines of an object: what is done to copies of it, few enough that hundreds
// of objects travel together.
func treatments(o Object, oneDefinition bool) []scenarios.Line {
	w := writing{
		id: o.Target.ID, own: target(o.Target.Release), other: target(o.Target.Release.Other()), at: stages.Of(o.Target.Release, oneDefinition),
		ownTyped: typedOf(o.Target.Release), otherTyped: typedOf(o.Target.Release.Other()), otherApply: applyOf(o.Target.Release.Other()), custom: oneDefinition,
	}
	// With a declared answer a refusal costs the object, and does not end the run.
	born := w.line(scenarios.Line{Create: w.id, Via: w.own, Respond: &scenarios.Respond{}}, w.at.Created)
	switch {
	case o.Target.Change != nil:
		return append([]scenarios.Line{born}, w.changed(o.Target.Change, o.Target.Part)...)
	case o.Target.Baseline():
		return append([]scenarios.Line{born}, w.baseline(o.Target.Others)...)
	case o.Target.Preferred:
		return []scenarios.Line{born, w.preferred()}
	case o.Target.Alone:
		return append([]scenarios.Line{born}, w.alone(o.Target)...)
	case o.Specimen.Subresource != "":
		return append([]scenarios.Line{born}, w.part(o)...)
	case o.Target.Without != "":
		return append(append([]scenarios.Line{born}, w.absent()...), w.besides(o)...)
	}
	lines := append([]scenarios.Line{born}, w.byOtherServer(), w.byOtherClient(), w.byOtherManager())
	if w.at.Alone != "" {
		lines = append(lines, w.line(scenarios.Line{Touch: w.id, Via: w.other, Verb: []term.Verb{term.MergePatch}}, w.at.Alone))
	}
	if zero := zeroOf(o); zero != nil {
		lines = append(lines, w.zero(o.ValuePath(), zero))
	}
	if len(o.Target.Others) > 0 && o.Target.Release == term.New {
		lines = append(lines, w.inOthers(w.own, o.Target.Others, w.at.Created))
	}
	return append(append(lines, w.offered()), w.besides(o)...)
}

// inOthers changes a label in other versions of the kind, which may have no place for a value.
func (w writing) inOthers(via []scenarios.Target, versions []string, at string) scenarios.Line {
	return w.line(scenarios.Line{Touch: w.id, Via: via, Verb: []term.Verb{term.Put}, APIVersion: versions}, at)
}

// writing makes the lines of one object.
type writing struct {
	id                   string
	own, other           []scenarios.Target // the release that has the difference, and the other one
	ownTyped, otherTyped term.Client
	otherApply           term.Client
	at                   stages.Stages
	custom               bool // custom resources have no strategic merge patch
}

func (w writing) line(l scenarios.Line, at string) scenarios.Line {
	l.At = []string{at}
	return l
}

// byOtherServer changes a label by each verb, through the other release.
func (w writing) byOtherServer() scenarios.Line {
	return w.line(scenarios.Line{Touch: w.id, Via: w.other, Verb: w.verbs()}, w.at.Mixed)
}

// verbs are the verbs by which a client without types writes. A merge patch of a condition would
// replace all conditions by its own, so the status is written with a PUT.
func (w writing) verbs() []term.Verb {
	verbs := []term.Verb{term.Put, term.MergePatch, term.JSONPatch, term.StatusPut}
	if !w.custom {
		verbs = append(verbs, term.StrategicPatch)
	}
	return verbs
}

// byOtherClient is a PUT through the object's own release, by a typed client of the other one.
func (w writing) byOtherClient() scenarios.Line {
	return w.line(scenarios.Line{Touch: w.id, Client: []term.Client{w.otherTyped}, Read: w.own, Via: w.own, Verb: []term.Verb{term.Put}}, w.at.Typed)
}

// byOtherManager applies what the other release knows of the object, as another manager.
func (w writing) byOtherManager() scenarios.Line {
	return w.line(scenarios.Line{
		Touch: w.id, Client: []term.Client{w.otherApply}, Via: w.other, Verb: []term.Verb{term.Apply}, Manager: []string{otherManager},
	}, w.at.Mixed)
}

// zero sends a zero in place of the value: a server that takes it for none replaces it by the
// default.
func (w writing) zero(at string, zero any) scenarios.Line {
	return w.line(scenarios.Line{Set: w.id, Via: w.own, Verb: []term.Verb{term.Put}, Fields: map[string]any{at: zero}}, w.at.Created)
}

// offered creates the object through the other release, with each field validation.
func (w writing) offered() scenarios.Line {
	return w.line(scenarios.Line{
		Create: w.id + OfferedSuffix, Via: w.other, Respond: &scenarios.Respond{},
		FieldValidation: []term.FieldValidation{term.Ignore, term.Warn, term.Strict},
	}, w.at.Mixed)
}

// baseline writes an object that uses no difference through both releases, by clients of both, and
// in other versions. The planner adds control copies for each verb, so there is one.
func (w writing) baseline(others []string) []scenarios.Line {
	lines := []scenarios.Line{
		w.line(scenarios.Line{Touch: w.id, Via: w.other, Verb: []term.Verb{term.Put}}, w.at.Mixed),
		w.line(scenarios.Line{
			Touch: w.id, Client: []term.Client{term.NewTyped}, Read: w.own, Via: w.own, Verb: []term.Verb{term.Put}, FieldValidation: []term.FieldValidation{term.Strict},
		}, w.at.Typed),
		w.line(scenarios.Line{Touch: w.id, Client: []term.Client{w.ownTyped}, Read: w.other, Via: w.other, Verb: []term.Verb{term.Put}}, w.at.Mixed),
	}
	if len(others) > 0 {
		lines = append(lines, w.inOthers(w.other, others, w.at.Mixed))
	}
	return append(lines, w.line(scenarios.Line{Get: w.id, Via: w.own}, stages.RolledBack))
}

// alone writes an object of a version that the other release does not serve: through its own
// release, and through the version that the other one prefers if it serves the kind. Clients of a
// version that went do not know it.
func (w writing) alone(t Target) []scenarios.Line {
	lines := []scenarios.Line{
		w.line(scenarios.Line{Touch: w.id, Via: w.own, Verb: []term.Verb{term.Put, term.MergePatch}}, w.at.Created),
		w.line(scenarios.Line{List: w.id, Via: w.own}, w.at.Created),
	}
	if t.Withdrawn {
		lines = append(lines, w.line(scenarios.Line{Touch: w.id, Via: w.other, Verb: []term.Verb{term.MergePatch}, Respond: &scenarios.Respond{}}, w.at.Mixed))
	}
	if !t.Elsewhere {
		return lines
	}
	return append(lines,
		w.line(scenarios.Line{Touch: w.id, Via: w.other, Verb: []term.Verb{term.Put, term.MergePatch}, APIVersion: []string{string(term.Preferred)}}, w.at.Mixed),
		w.line(scenarios.Line{Get: w.id, Via: w.other, APIVersion: []string{string(term.Preferred)}}, w.at.Mixed))
}

// preferred writes an object through the old release, in the version that the new one prefers: a
// client of a cluster with both asks either.
func (w writing) preferred() scenarios.Line {
	return w.line(scenarios.Line{
		Touch: w.id, Client: []term.Client{term.Dynamic}, Read: target(term.New), Via: target(term.Old), Verb: []term.Verb{term.Put, term.MergePatch}, APIVersion: []string{string(term.Preferred)},
	}, w.at.Mixed)
}

// absent writes an object that does not have a field through both releases. A default does not
// depend on the verb, so there is one, for the sake of the control copies.
func (w writing) absent() []scenarios.Line {
	verbs := []term.Verb{term.MergePatch}
	lines := []scenarios.Line{w.line(scenarios.Line{Touch: w.id, Via: w.other, Verb: verbs}, w.at.Mixed)}
	if w.at.Mixed == stages.Mixed {
		lines = append(lines, w.line(scenarios.Line{Touch: w.id, Via: w.own, Verb: verbs}, w.at.Mixed))
	}
	if w.own[0] == scenarios.Target(term.Old) {
		lines = append(lines, w.line(scenarios.Line{Get: w.id, Via: w.own}, stages.RolledBack))
	}
	return append(lines, w.offered())
}

// part writes a subresource through the object's own release, and then treats the copy.
func (w writing) part(o Object) []scenarios.Line {
	part, fields := o.Specimen.Subresource, o.partFields()
	if len(fields) == 0 {
		return nil // the subresource is not written: the object alone is there
	}
	set := func(at string, then ...scenarios.Line) scenarios.Line {
		return w.line(scenarios.Line{Set: w.id, Subresource: part, Verb: []term.Verb{term.Put}, Via: w.own, Fields: fields, Then: then}, at)
	}
	typed := []term.Verb{term.Put}
	if part == term.StatusPart {
		typed = []term.Verb{term.StatusPut}
	}
	lines := []scenarios.Line{
		set(w.at.Typed, scenarios.Line{Touch: w.id, Client: []term.Client{w.otherTyped}, Read: w.own, Via: w.own, Verb: typed}),
		set(w.at.Created),
	}
	met := func(then scenarios.Line) scenarios.Line {
		if w.custom { // there is no stage with both: what was written at one is met by the other's definition
			then.At = []string{w.at.Mixed}
			return set(w.at.Created, then)
		}
		return set(w.at.Mixed, then)
	}
	lines = append(lines, met(scenarios.Line{Touch: w.id, Via: w.other, Verb: w.verbs()}))
	if beside := sibling(o); o.Target.Beside && len(beside) > 0 {
		change := scenarios.Line{Set: w.id, Subresource: part, Verb: []term.Verb{term.Put}, Fields: beside, Via: w.own}
		lines = append(lines, set(w.at.Created, change))
		change.Via = w.other
		lines = append(lines, met(change))
	}
	offer := w.line(scenarios.Line{
		Set: w.id, Subresource: part, Verb: []term.Verb{term.Put}, Via: w.other, Fields: fields,
		FieldValidation: []term.FieldValidation{term.Ignore, term.Warn, term.Strict},
	}, w.at.Mixed)
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
