package fuzz

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A run that passes says nothing of a field that it never sent. What was there before both
// releases have had time to show; what only the new one has is what a run is for.

// Unsent are fields of a kind that the new release alone publishes, and that no object had
// which that release accepted. The status is not among them: it is not sent on create.
type Unsent struct {
	Kind   string   `json:"kind"`
	Fields []string `json:"fields"` // [] stands for the elements of a list and the entries of a map
}

// coverage is what the new release alone publishes of each kind, and what of it was sent.
type coverage struct{ fresh, sent fieldsByKind }

type fieldsByKind map[string]map[string]bool

// add adds fields of a kind.
func (all *fieldsByKind) add(kind string, fields []string) {
	if *all == nil {
		*all = fieldsByKind{}
	}
	if (*all)[kind] == nil {
		(*all)[kind] = map[string]bool{}
	}
	for _, field := range fields {
		(*all)[kind][field] = true
	}
}

// cover notes what the new release alone publishes in a lap, and what accepted objects had of it.
func (l *lap) cover(journeys []*journey) {
	for _, kind := range l.kinds {
		for _, at := range places(kind, l.releases) {
			if at.role == term.New {
				l.coverage.fresh.add(kind, l.freshAt(kind, at))
			}
		}
	}
	for _, j := range journeys {
		at := j.traveller.origin
		if j.accepted && at.role == term.New {
			w := l.walkOf(at)
			w.visit(w.root, j.object, true, "", nil)
			l.coverage.sent.add(j.traveller.kind, slices.Collect(maps.Keys(w.fields)))
		}
	}
}

// freshAt are the fields, sorted, that the new release publishes at a place and the old one does
// not: in that version, or in any of the kind where it does not serve that one. Of a kind that
// the old one does not serve none is told: all of them are.
func (l *lap) freshAt(kind string, at place) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := kind + " " + at.apiVersion()
	if known, read := l.fresh[key]; read {
		return known
	}
	if l.fresh == nil {
		l.fresh = map[string][]string{}
	}
	l.fresh[key] = l.readFresh(kind, at)
	return l.fresh[key]
}

func (l *lap) readFresh(kind string, at place) []string {
	old := slices.DeleteFunc(places(kind, l.releases), func(p place) bool { return p.role != term.Old })
	if i := slices.IndexFunc(old, func(p place) bool { return p.apiVersion() == at.apiVersion() }); i >= 0 {
		old = old[i : i+1]
	}
	if len(old) == 0 {
		return nil
	}
	fresh := l.published(at)
	for _, p := range old {
		known := l.published(p)
		maps.DeleteFunc(fresh, func(field string, _ bool) bool { return known[field] })
	}
	return slices.Sorted(maps.Keys(fresh))
}

// published are the fields that a place publishes of its kind.
func (l *lap) published(at place) map[string]bool {
	w := l.walkOf(at)
	w.visit(w.root, nil, false, "", nil)
	return w.fields
}

// fieldWalk collects the fields of a form, or those of them that an object has.
type fieldWalk struct {
	shapes shapes
	root   *spec.Schema
	fields map[string]bool
	skip   []string // members of the object that are not walked
}

func (l *lap) walkOf(at place) *fieldWalk {
	s := l.releases[at.role].shapes[at.apiVersion()]
	return &fieldWalk{
		shapes: s, root: s.root(at.apiVersion(), at.resource.Kind), fields: map[string]bool{},
		skip: append([]string{"apiVersion", "kind", "metadata"}, at.resource.Subresources...),
	}
}

// visit walks a form; a definition that holds itself is walked once. With has, it walks what
// the value has of the form.
func (w *fieldWalk) visit(at *spec.Schema, value any, has bool, text string, above []string) {
	if at == nil {
		return
	}
	at, name := w.shapes.resolve(at)
	if at == nil || !has && name != "" && slices.Contains(above, name) {
		return
	}
	above = append(above[:len(above):len(above)], name)
	switch {
	case len(at.Properties) > 0:
		w.members(at, value, has, text, above)
	case at.Items != nil && at.Items.Schema != nil:
		list, _ := value.([]any)
		w.elements(at.Items.Schema, slices.Values(list), has, text, above)
	case at.AdditionalProperties != nil && at.AdditionalProperties.Schema != nil:
		entries, _ := value.(map[string]any)
		w.elements(at.AdditionalProperties.Schema, maps.Values(entries), has, text, above)
	}
}

func (w *fieldWalk) members(at *spec.Schema, value any, has bool, text string, above []string) {
	fields, _ := value.(map[string]any)
	for name, form := range at.Properties {
		member, is := fields[name]
		if has && !is || text == "" && slices.Contains(w.skip, name) {
			continue
		}
		here := fieldIn(text, name)
		w.fields[here] = true
		w.visit(&form, member, has, here, above)
	}
}

func (w *fieldWalk) elements(form *spec.Schema, all iter.Seq[any], has bool, text string, above []string) {
	if !has {
		w.visit(form, nil, false, text+"[]", above)
		return
	}
	for element := range all {
		w.visit(form, element, true, text+"[]", above)
	}
}

// unsent are the fields that no accepted object had, and how many fields there are of which it
// could be said.
func (c coverage) unsent() (all []Unsent, fresh int) {
	for _, kind := range slices.Sorted(maps.Keys(c.fresh)) {
		fresh += len(c.fresh[kind])
		left := slices.DeleteFunc(slices.Sorted(maps.Keys(c.fresh[kind])), func(field string) bool { return c.sent[kind][field] })
		if len(left) > 0 {
			all = append(all, Unsent{kind, left})
		}
	}
	return all, fresh
}

// someUnsent is how many fields are named where not all are.
const someUnsent = 5

// someOf are some of the fields: those nearest to the top, and of those that are called alike, as
// in all kinds that hold a template, one.
func someOf(all []Unsent) []string {
	var fields []string
	for _, u := range all {
		for _, field := range u.Fields {
			if !slices.ContainsFunc(u.Fields, func(other string) bool { return holds(other, field) }) {
				fields = append(fields, u.Kind+" "+field)
			}
		}
	}
	slices.SortStableFunc(fields, func(a, b string) int { return strings.Count(a, ".") - strings.Count(b, ".") })
	called := map[string]bool{}
	fields = slices.DeleteFunc(fields, func(field string) bool {
		name := field[strings.LastIndex(field, ".")+1:]
		again := called[name]
		called[name] = true
		return again
	})
	return fields[:min(len(fields), someUnsent)]
}

// unsent says which fields of the new release were never sent.
func (p *printer) unsent(r Result) {
	n := 0
	for _, u := range r.Unsent {
		n += len(u.Fields)
	}
	names := someOf(r.Unsent)
	if n > len(names) {
		names = append(names, "... (fuzz.json has all, as unsent)")
	}
	switch {
	case r.Only != nil || r.Fresh == 0:
	case n == 0:
		p.line("  each of the fields that %s alone publishes was in an accepted object: %d", r.New, r.Fresh)
	default:
		p.line("  of %s that %s alone publishes, %d were in no accepted object, and nothing is said of them: %s", counted(r.Fresh, "field", "fields"), r.New, n, strings.Join(names, ", "))
	}
}
