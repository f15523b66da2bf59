package reading

import (
	"bytes"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// precedent is what a server of the same release made of a value that is still stored as it was. The zero value is of a
// value that none has read.
type precedent struct {
	before *Record
	// asked reports that the server is asked once more, to see whether what was read before stands.
	asked bool
}

// cite notes what the same release made of a record before, if that was of the same bytes. Only what a LIST shows too
// is taken from there.
func (t *taking) cite(r, before *Record) {
	form, served := t.form(r)
	if !served || before == nil || before.Revision != r.Revision || before.Form != form.APIVersion || !before.Decodes() || !slices.Contains(form.Verbs, "list") {
		return
	}
	of := form.resource()
	if t.anew[of] {
		return
	}
	p := precedent{before: before, asked: !t.asked[of]}
	t.precedents[r] = p
	t.asked[of] = t.asked[of] || len(t.Tries) == 0 || p.permitted(t.Tries[0]) // what was refused is asked anyway
}

// stands reports whether what was read before is taken for what the server shows now.
func (p precedent) stands() bool { return p.before != nil && !p.asked }

// permits reports whether a write need not be sent, since it was permitted before, and nothing was to be said about it.
func (p precedent) permits(w Write) bool { return p.stands() && p.permitted(w) }

func (p precedent) permitted(w Write) bool {
	try, tried := p.before.Find(w)
	return tried && try.accepted() && try.Warning == ""
}

// differs notes that a server that was asked once more showed another object in the same revision, or did not permit what was
// permitted before.
func (p precedent) differs(r *Record, form Form, otherwise map[string]bool) {
	if !p.asked || r.Gone {
		return
	}
	if !r.Decodes() || revisionOf(r.Object) == revisionOf(p.before.Object) && !equal(r.Object, p.before.Object) {
		otherwise[form.resource()] = true
	}
	if slices.ContainsFunc(r.Tries, func(t Try) bool { return t.Edit == nil && p.permitted(t.Write) && (!t.accepted() || t.Warning != "") }) {
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
