package fuzz

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects"
)

// A run that passes says nothing about a field that it never sent. A field of both releases
// has been in use; a run is for the fields that only the new release has.

// Unsent are fields of a kind that only the new release publishes, and that no object had
// which that release accepted. It has no fields of the status, which is not sent on create.
type Unsent struct {
	Kind   string   `json:"kind"`
	Fields []string `json:"fields"` // [] are the elements of a list and the entries of a map
}

// coverage is the fields of each kind that only the new release publishes, and which of
// them were sent.
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

// cover notes the fields that only the new release publishes in a lap, and which of them
// accepted objects had.
func (l *lap) cover(journeys []*journey) {
	for _, kind := range l.kinds {
		for _, at := range Places(kind, l.releases) {
			if at.Role == term.New {
				l.coverage.fresh.add(kind, l.freshAt(kind, at))
			}
		}
	}
	for _, j := range journeys {
		at := j.traveller.Origin
		if j.accepted && at.Role == term.New {
			kind, _ := l.releases[at.Role].Published(at)
			l.coverage.sent.add(j.traveller.Kind, slices.Collect(maps.Keys(kind.FieldsOf(j.object))))
		}
	}
}

// freshAt returns the fields, sorted, that the new release publishes at a place and the old
// one does not: in that version, or in any of the kind if the old one does not serve that
// version. For a kind that the old one does not serve it returns none, since all of them
// are new.
func (l *lap) freshAt(kind string, at Place) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := kind + " " + at.APIVersion()
	if known, read := l.fresh[key]; read {
		return known
	}
	if l.fresh == nil {
		l.fresh = map[string][]string{}
	}
	l.fresh[key] = l.readFresh(kind, at)
	return l.fresh[key]
}

func (l *lap) readFresh(kind string, at Place) []string {
	old := slices.DeleteFunc(Places(kind, l.releases), func(p Place) bool { return p.Role != term.Old })
	if i := slices.IndexFunc(old, func(p Place) bool { return p.APIVersion() == at.APIVersion() }); i >= 0 {
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

// published returns the fields that a place publishes for its kind.
func (l *lap) published(at Place) map[string]bool {
	kind, _ := l.releases[at.Role].Published(at)
	return kind.Fields()
}

// unsent returns the fields that no accepted object had, and how many fields could have
// been sent.
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

// someUnsent is how many fields are named if not all are.
const someUnsent = 5

// someOf returns some of the fields: those nearest to the top, and only one of those with
// the same name, as in all kinds with a template.
func someOf(all []Unsent) []string {
	var fields []string
	for _, u := range all {
		for _, field := range u.Fields {
			if !slices.ContainsFunc(u.Fields, func(other string) bool { return objects.IsWithin(field, other) }) {
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

// unsent writes which fields of the new release were never sent.
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
		p.line("  accepted objects had all fields that only %s publishes: %d", r.New, r.Fresh)
	default:
		p.line("  of %s that only %s publishes, %d were in no accepted object, and are not tested: %s", term.Counted(r.Fresh, "field", "fields"), r.New, n, strings.Join(names, ", "))
	}
}
