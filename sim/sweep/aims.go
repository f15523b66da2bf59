package sweep

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// spot is where an aim's object must hold something.
type spot int

// The spots.
const (
	atPath   spot = iota // at the difference's path
	atParent             // in the struct that has the field, and not in the field
	atKind               // any valid object of the kind
	atStatus             // at the status of the kind
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
	// beyond reports that the object holds a value that only the release's own type has.
	beyond bool
	// preferred, unkept, twice and beside are as in Target.
	preferred, unkept, twice, beside bool
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
	without := absent
	without.beside = true
	newKind := aim{release: term.New, form: term.Treated, spot: atKind}
	oldKind := aim{release: term.Old, form: term.Bystander, spot: atKind}
	return map[term.DifferenceKind][]aim{
		term.FieldAdded:        {added},
		term.FieldRemoved:      {{release: term.Old, form: term.Treated}},
		term.EnumValueAdded:    {{release: term.New, form: term.Treated, named: true}},
		term.EnumValueRemoved:  {{release: term.Old, form: term.Bystander, named: true}},
		term.DefaultChanged:    {absent, added},
		term.RequiredAdded:     {without},
		term.RequiredRemoved:   {{release: term.New, form: term.Treated, spot: atParent}},
		term.TypeChanged:       {removed, added, beyondOf(removed), beyondOf(added)},
		term.ListChanged:       {removed, added, twiceOf(removed), twiceOf(added)},
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
		term.SubresourceAdded:  {{release: term.Old, form: term.Bystander, spot: atStatus, beside: true}},
	}
}

// beyondOf is the aim at a value that the other release's type does not have.
func beyondOf(a aim) aim {
	a.beyond = true
	return a
}

// twiceOf is the aim at a list with an element twice.
func twiceOf(a aim) aim {
	a.twice = true
	return a
}

// beyond returns a value that one type of a field has and another one has not; nil if none is known.
// Types are as differences spell them.
func beyond(own, other string) any {
	is := func(text string, word string) bool { return text == word || strings.HasPrefix(text, word+" ") }
	const either = "integer or string"
	switch {
	case own == either && is(other, "integer"):
		return "50%"
	case own == either && is(other, "string"):
		return int64(8080)
	case is(own, "number") && is(other, "integer"):
		return 1.5
	case is(own, "integer") && is(other, "integer int32") && own != other:
		return int64(1) << 40
	}
	return nil
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
