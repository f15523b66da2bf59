package sweep

import (
	"github.com/skewsim/skewsim/scenarios/term"
)

// spot is where an aim's object must hold something.
type spot int

// The spots.
const (
	atPath   spot = iota // at the difference's path
	atParent             // in the struct that has the field, and not in the field
	atKind               // any valid object of the kind
)

// aim is one object that a difference needs.
type aim struct {
	release term.Role // whose server takes the object
	// form is treated for an object that uses what only one release has: whether the guide permits
	// what happens to such a value depends on the value. A bystander uses nothing that differs, so
	// what happens to it breaks a rule.
	form term.CopyRole
	spot spot
	// named reports that the object holds the value that the difference is named by.
	named bool
	// alone and elsewhere are as in Target.
	alone, elsewhere bool
	// preferred is as in Target.
	preferred bool
}

// aims has the objects that each kind of difference needs. Kinds that are absent are listed and
// never played: they are of tables, names and settings, not of what is stored.
//
// What only the old release has comes from the old release, so that it is stored before the
// upgrade; what only the new release has comes from the new one. Where the releases treat the
// same object differently, both make one. A difference in how absence is treated, such as a
// default, needs an object without the field.
func aims() map[term.DifferenceKind][]aim {
	added := aim{release: term.New, form: term.Treated}
	removed := aim{release: term.Old, form: term.Bystander}
	absent := aim{release: term.Old, form: term.Bystander, spot: atParent}
	newKind := aim{release: term.New, form: term.Treated, spot: atKind}
	oldKind := aim{release: term.Old, form: term.Bystander, spot: atKind}
	return map[term.DifferenceKind][]aim{
		term.FieldAdded:        {added},
		term.FieldRemoved:      {{release: term.Old, form: term.Treated}},
		term.EnumValueAdded:    {{release: term.New, form: term.Treated, named: true}},
		term.EnumValueRemoved:  {{release: term.Old, form: term.Bystander, named: true}},
		term.DefaultChanged:    {absent, added},
		term.RequiredAdded:     {absent},
		term.RequiredRemoved:   {{release: term.New, form: term.Treated, spot: atParent}},
		term.TypeChanged:       {removed, added},
		term.ListChanged:       {removed, added},
		term.MergeChanged:      {removed, added},
		term.TagChanged:        {removed, added},
		term.GateAdded:         {added, absent},
		term.GateChanged:       {added, absent},
		term.GateRemoved:       {removed},
		term.KindAdded:         {aloneOf(newKind)},
		term.VersionAdded:      {elsewhereOf(newKind)},
		term.KindRemoved:       {aloneOf(oldKind)},
		term.VersionRemoved:    {elsewhereOf(oldKind)},
		term.StorageChanged:    {oldKind, newKind},
		term.PreferredChanged:  {oldKind, preferredOf(newKind)},
		term.ConversionChanged: {oldKind, newKind},
	}
}

// aloneOf is the aim at a kind that the other release does not serve.
func aloneOf(a aim) aim {
	a.alone = true
	return a
}

// elsewhereOf is the aim at a version that the other release does not serve: it may serve the
// kind in another one.
func elsewhereOf(a aim) aim {
	a.alone, a.elsewhere = true, true
	return a
}

// preferredOf is the aim at the version that a release prefers.
func preferredOf(a aim) aim {
	a.release, a.form, a.preferred = term.Old, term.Bystander, true
	return a
}
