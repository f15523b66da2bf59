package reading

import (
	"bytes"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// precedent is what a server of the same release made of a value that is still stored as it was. The zero value is that of a
// value without one.
type precedent struct {
	before *Record
	// probe reports that the server is asked once more, to see whether its earlier answer stands.
	probe bool
}

// stands reports whether the earlier answer is taken for what the server shows now.
func (p precedent) stands() bool { return p.before != nil && !p.probe }

// permits reports whether a write need not be sent, since it was permitted before, and nothing was to be said about it.
func (p precedent) permits(w Write) bool { return p.stands() && p.permitted(w) }

func (p precedent) permitted(w Write) bool {
	try, tried := p.before.Find(w)
	return tried && try.accepted() && try.Warning == ""
}

// precedents are what an earlier reading by a server of the same release says during one pass.
type precedents struct {
	file   *earlier // nil: there is no such reading
	of     map[*Record]precedent
	probes map[string]bool // the collections of which an object is asked for once more
	// stale is what the earlier reading says nothing of any more, and found what this pass adds to it.
	stale, found scope
}

// openPrecedents opens the file of an earlier reading; "": there is none.
func openPrecedents(name string, stale scope) (p precedents, err error) {
	p = precedents{of: map[*Record]precedent{}, probes: map[string]bool{}, stale: stale}
	if name != "" && !stale.all {
		p.file, err = openEarlier(name)
	}
	return p, err
}

// close closes the file, which was only read.
func (p *precedents) close() error {
	if p.file == nil {
		return nil
	}
	return p.file.closed()
}

// add adds what the earlier reading has of a record, if that was of the same bytes. Only what a LIST shows too is taken from
// there. The first of a collection is a probe, and so is each one until the server permits to write one.
func (p *precedents) add(r *Record, form Form, tries []Write) error {
	if p.file == nil {
		return nil
	}
	before, err := p.file.record(r.Key)
	of := form.resource()
	if err != nil || before == nil || before.Revision != r.Revision || before.Form != form.APIVersion || !before.Decodes() ||
		!slices.Contains(form.Verbs, "list") || p.stale.has(of) {
		return err
	}
	added := precedent{before: before, probe: !p.probes[of]}
	p.of[r] = added
	p.probes[of] = p.probes[of] || len(tries) == 0 || added.permitted(tries[0]) // what was refused is sent anyway
	return nil
}

// compare compares a probe with its precedent. The collection is stale if the server shows another object in the same
// revision, or none, and everything is if it does not permit what it permitted. A probe that was deleted meanwhile says
// nothing, so that nothing vouches for the collection.
func (p *precedents) compare(r *Record, form Form) {
	of := p.of[r]
	if !of.probe {
		return
	}
	if !r.Decodes() || revisionOf(r.Object) == revisionOf(of.before.Object) && !equal(r.Object, of.before.Object) {
		p.found.add(form.resource())
	}
	if slices.ContainsFunc(r.Tries, func(t Try) bool { return t.Edit == nil && of.permitted(t.Write) && (!t.accepted() || t.Warning != "") }) {
		p.found.all = true
	}
}

// scope is a set of collections.
type scope struct {
	all         bool
	collections map[string]bool
}

func (s scope) has(collection string) bool { return s.all || s.collections[collection] }

func (s scope) empty() bool { return !s.all && len(s.collections) == 0 }

func (s *scope) add(collections ...string) {
	if s.collections == nil {
		s.collections = map[string]bool{}
	}
	for _, c := range collections {
		s.collections[c] = true
	}
}

// join adds another set.
func (s *scope) join(other scope) {
	s.all = s.all || other.all
	for c := range other.collections {
		s.add(c)
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
