package sweep

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// member adds an object to a scenario.
type member struct {
	object        Object
	model         *scenarios.Scenario
	files         map[string][]byte
	oneDefinition bool
}

// add adds the object's files and lines.
func (m member) add() error {
	t := m.object.Target
	m.object.Specimen = WithNeedsNamed(m.object.Target.ID, m.object.Specimen)
	body := m.object.Body()
	if err := m.file(t.ID, body); err != nil {
		return err
	}
	m.model.Objects[t.ID] = m.form(t.ID)
	if err := m.needs(); err != nil {
		return err
	}
	all := treatments(m.object, m.oneDefinition)
	if slices.ContainsFunc(all, func(l scenarios.Line) bool { return l.Create == t.ID+OfferedSuffix }) {
		m.model.Objects[t.ID+OfferedSuffix] = m.form(t.ID)
	}
	m.model.Play = append(m.model.Play, all...)
	return nil
}

// zeroOf is the zero of the object's value, if the value is a new number or boolean, and not
// zero itself; else nil.
func zeroOf(o Object) any {
	if o.ZeroRefused || o.Target.Form != term.Treated || o.Target.Without != "" || o.Specimen.Subresource != "" || o.Specimen.Held == "" {
		return nil
	}
	return Zero(o.Specimen.Object, o.Specimen.Held)
}

// form is an object whose one form is in the file of that name.
func (m member) form(name string) scenarios.Object {
	if m.object.Target.Form == term.Treated {
		return scenarios.Object{Treated: objectFile(name)}
	}
	return scenarios.Object{Bystander: objectFile(name)}
}

func (m member) file(name string, body map[string]any) error {
	text, err := strict.Marshal(body)
	m.files[objectFile(name)] = text
	return err
}

// Body is the object as a run creates it: without the field that the target must not have, and
// without what only a subresource writes.
func (o Object) Body() map[string]any {
	body := WithNameForm(o.whole())
	switch part := o.Specimen.Subresource; part {
	case "":
	case term.StatusPart:
		delete(body, term.StatusPart)
	default:
		for at := range o.partFields() {
			if p, err := path.Parse(at); err == nil {
				path.Remove(body, p)
			}
		}
	}
	return body
}

// whole is the object with what a subresource writes, without the field that the target must not have.
func (o Object) whole() map[string]any {
	body := runtime.DeepCopyJSON(o.Specimen.Object)
	if held, err := path.Parse(o.ValuePath()); err == nil && o.Target.Without != "" {
		path.Remove(body, held)
	}
	return body
}

// ValuePath is the path, in findings, of what the object holds or must not hold; "" for a whole
// object.
func (o Object) ValuePath() string {
	switch {
	case o.Target.Shared:
		return ParentOf(o.Specimen.Held)
	case o.Target.Without == "":
		return o.Specimen.Held
	}
	return path.Below(o.Specimen.Held, fieldpath.FieldNameElement(o.Target.Without))
}

// partFields are the values, by path, that the subresource writes: all of a status, or the
// member of the spec that has the value.
func (o Object) partFields() map[string]any {
	if o.Specimen.Subresource != term.StatusPart {
		held, err := path.Parse(o.Specimen.Held)
		if err != nil || len(held) < 2 {
			return nil
		}
		value, _ := path.Get(o.Specimen.Object, held[:2])
		return map[string]any{path.String(held[:2]): value}
	}
	status, _ := o.whole()[term.StatusPart].(map[string]any)
	fields := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(status)) {
		fields[path.Below("."+term.StatusPart, fieldpath.FieldNameElement(key))] = status[key]
	}
	return fields
}

// ObjectOf is the name of the target's object that a scenario's object belongs to.
func ObjectOf(name string) string { return strings.TrimSuffix(name, OfferedSuffix) }

// needs adds the objects that must exist before the object is created: at the first stage, since
// the objects of one stage are created in any order. They have no form to compare with, so no
// control copies have their names.
func (m member) needs() error {
	for i, need := range m.object.Specimen.Needs {
		id := NeedID(m.object.Target.ID, i)
		m.model.Objects[id] = scenarios.Object{Treated: objectFile(id)}
		m.model.Play = append(m.model.Play, scenarios.Line{
			Create: id, Via: []scenarios.Target{scenarios.Target(term.Old)}, At: []string{StageOld}, Respond: &scenarios.Respond{},
		})
		if err := m.file(id, need); err != nil {
			return err
		}
	}
	return nil
}
