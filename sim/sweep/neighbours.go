package sweep

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// Published is what schemas publish of a field of an object, as in Surroundings.
type Published struct {
	Words   func(o Object, at fieldpath.Path) []any
	IsFixed func(o Object, at fieldpath.Path) bool
}

// Neighbours returns, for each object that is changed beside its value, the changes that can be made there,
// the nearest first. None of them is of a field that the releases treat differently: what is refused
// would say nothing of the value. Only where servers can be asked what they say of the change alone, fields
// for which the releases have other rules come last.
func Neighbours(objects []Object, whole []diff.Difference, published Published) [][]map[string]any {
	plain := map[string]map[string]any{}
	for _, o := range objects {
		if o.Target.Baseline() && o.Played() {
			plain[kindOf(o)] = o.whole()
		}
	}
	changed := changedFieldsOf(whole)
	all := make([][]map[string]any, len(objects))
	for i, o := range objects {
		if o.Played() && o.Target.Beside && o.Target.Change == nil {
			all[i] = o.surroundings(plain[kindOf(o)], changed[kindOf(o)], published).Neighbours()
		}
	}
	return all
}

// surroundings are what the object holds around its value.
func (o Object) surroundings(plain map[string]any, changed changedFields, published Published) Surroundings {
	t := o.Target
	s := Surroundings{Object: o.whole(), Plain: plain, Held: o.Specimen.Held, Without: t.Without}
	s.Differing, s.Ruled = changed.differing, changed.ruled
	if o.Specimen.Subresource != "" { // no server is asked: see WithChange
		s.Differing, s.Ruled = slices.Concat(s.Differing, s.Ruled), nil
	}
	switch {
	case t.Ruled != "":
		s.Held, s.Inside, s.Rule = t.Ruled, true, t.Rule
		if o.Specimen.Bystander != nil { // both releases accept it
			s.Plain = o.Specimen.Bystander
		}
	case o.Specimen.Held == "."+term.StatusPart:
		s.Inside = true
	}
	if published.Words != nil {
		s.Words = func(at fieldpath.Path) []any { return published.Words(o, at) }
	}
	if published.IsFixed != nil {
		s.IsFixed = func(at fieldpath.Path) bool { return published.IsFixed(o, at) }
	}
	return s
}

// changedFields are the fields of a kind that the releases treat differently, and those for which they have
// other rules.
type changedFields struct{ differing, ruled []string }

// changedFieldsOf returns the changed fields by kind, as kindOf spells it.
func changedFieldsOf(whole []diff.Difference) map[string]changedFields {
	all := map[string]changedFields{}
	for _, d := range whole {
		own := diff.Place{APIVersion: GroupVersion(d.Group, d.Version), Kind: d.Kind, Path: d.Path}
		for _, p := range append(slices.Clone(d.Places), own) {
			if p.Path == "" {
				continue
			}
			kind := p.APIVersion + " " + p.Kind
			fields := all[kind]
			switch d.Difference {
			case term.RuleTightened, term.RuleRelaxed, term.RuleChanged, term.EnumValueAdded, term.EnumValueRemoved:
				fields.ruled = append(fields.ruled, p.Path)
			default:
				fields.differing = append(fields.differing, p.Path)
			}
			all[kind] = fields
		}
	}
	return all
}

// WithChange returns the object, as it is created, with a change beside its value; false: a subresource is
// what is changed, or the object has no place for the change.
func (o Object) WithChange(fields map[string]any) (map[string]any, bool) {
	if o.Specimen.Subresource != "" {
		return nil, false
	}
	return WithValues(o.Body(), fields)
}
