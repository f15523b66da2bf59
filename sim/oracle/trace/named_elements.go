package trace

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// nameElements gives the paths that steps change the form in which leaves are named. A step can name an element
// by its place, [0], in a list that a release knows by keys: because its author did, or because only the other
// release has the keys.
func (b *builder) nameElements() {
	for number, act := range b.Acts {
		s, tl := b.Steps[number], b.ByCopy[act.Copy]
		if tl == nil || s.Step.Change == nil || OtherVersion(tl, s.Step) || !slices.ContainsFunc(s.Step.Change.Names, hasElement) {
			continue
		}
		after := b.History.Object(act.Exchange.Sent)
		if after == nil || !s.Step.Verb.Whole() && !b.Creates(act) {
			after = b.History.Object(act.Exchange.Answer)
		}
		before := b.History.Object(b.Reads[number].Exchange.Answer)
		s.Step.Change = named(*s.Step.Change, tl.Kind, before, after)
		b.Steps[number] = s
	}
}

// named returns a change with its paths named as in the object after it. The names that they have in the object
// before it, where another element may have that place, are among its names.
func named(m plan.Change, kind schema.Kind, before, after map[string]any) *plan.Change {
	names := m.Names
	m.Names, m.Fields = nil, maps.Clone(m.Fields)
	for _, name := range names {
		now := nameIn(kind, after, name)
		for _, is := range []string{now, nameIn(kind, before, name)} {
			if !slices.Contains(m.Names, is) {
				m.Names = append(m.Names, is)
			}
		}
		if value, sets := m.Fields[name]; sets && now != name {
			delete(m.Fields, name)
			m.Fields[now] = value
		}
	}
	return &m
}

func nameIn(kind schema.Kind, object map[string]any, name string) string {
	p, err := path.Parse(name)
	if err != nil {
		return name
	}
	if keyed := kind.Keyed(object, p); !keyed.Equals(p) {
		return path.String(keyed)
	}
	return name
}

// hasElement reports whether the text of a path may name an element of a list.
func hasElement(name string) bool { return strings.Contains(name, "[") }
