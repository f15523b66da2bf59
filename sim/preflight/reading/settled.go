package reading

import (
	"bytes"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// settled is what a server of the same release made of a value that is still stored as it was. The zero value is of a
// value that none has read.
type settled struct {
	before *Record
	// asked reports that the server is asked once more, to see whether what was read before stands.
	asked bool
}

// settle notes what the same release made of a record before, if that was of the same bytes. Only what a LIST shows too
// is taken from there.
func (t *taking) settle(r, before *Record) {
	form, served := t.form(r)
	if !served || before == nil || before.Revision != r.Revision || before.Form != form.APIVersion || !before.Decodes() || !slices.Contains(form.Verbs, "list") {
		return
	}
	if of := form.resource(); !t.anew[of] {
		t.settled[r] = settled{before: before, asked: !t.asked[of]}
		t.asked[of] = true
	}
}

// stands reports whether what was read before is taken for what the server shows now.
func (s settled) stands() bool { return s.before != nil && !s.asked }

// permits reports whether a write need not be sent, since it was permitted before, and nothing was to be said about it.
func (s settled) permits(w Write) bool { return s.stands() && s.permitted(w) }

func (s settled) permitted(w Write) bool {
	try, tried := s.before.Find(w)
	return tried && try.accepted() && try.Warning == ""
}

// differs notes that a server that was asked once more showed another object in the same revision, or did not permit what was
// permitted before.
func (s settled) differs(r *Record, form Form, otherwise map[string]bool) {
	if !s.asked || r.Gone {
		return
	}
	if !r.Decodes() || revisionOf(r.Object) == revisionOf(s.before.Object) && !equal(r.Object, s.before.Object) {
		otherwise[form.resource()] = true
	}
	if slices.ContainsFunc(r.Tries, func(t Try) bool { return t.Edit == nil && s.permitted(t.Write) && (!t.accepted() || t.Warning != "") }) {
		otherwise[everything] = true
	}
}

// equal reports whether two answers show one object. Those of built-in kinds repeat kind and version in a GET alone.
func equal(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y map[string]any
	if utiljson.Unmarshal(a, &x) != nil || utiljson.Unmarshal(b, &y) != nil {
		return false
	}
	for _, o := range []map[string]any{x, y} {
		delete(o, "kind")
		delete(o, "apiVersion")
	}
	return reflect.DeepEqual(x, y)
}
