package fuzz

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/fuzz/roundtrip"
	"github.com/skewsim/skewsim/sim/generate"
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
		for _, at := range roundtrip.Places(kind, l.releases) {
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

// freshAt are the fields, sorted, that the new release publishes at a place and the old one does
// not: in that version, or in any of the kind where it does not serve that one. Of a kind that
// the old one does not serve none is told: all of them are.
func (l *lap) freshAt(kind string, at roundtrip.Place) []string {
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

func (l *lap) readFresh(kind string, at roundtrip.Place) []string {
	old := slices.DeleteFunc(roundtrip.Places(kind, l.releases), func(p roundtrip.Place) bool { return p.Role != term.Old })
	if i := slices.IndexFunc(old, func(p roundtrip.Place) bool { return p.APIVersion() == at.APIVersion() }); i >= 0 {
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
func (l *lap) published(at roundtrip.Place) map[string]bool {
	kind, _ := l.releases[at.Role].Published(at)
	return kind.Fields()
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
			if !slices.ContainsFunc(u.Fields, func(other string) bool { return generate.IsWithin(field, other) }) {
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
