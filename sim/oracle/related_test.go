package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A server clears the plural with the singular, though no one names it: that is
// a loss, unless the scenario says that the two are related.
func TestRelatedPaths(t *testing.T) {
	lost := `nothing-lost violation rule-6 lost unattributed bystander-1 .spec.tags in step 4 (upgrading 1/2)`
	cases := map[string]struct {
		related [][]string
		named   string
		want    []string
	}{
		"unrelated":            {nil, ".spec.colour", []string{lost}},
		"related":              {[][]string{{".spec.colour", ".spec.tags"}}, ".spec.colour", nil},
		"related, in turn":     {[][]string{{".spec.tags", ".spec.colour"}}, ".spec.colour", nil},
		"another group":        {[][]string{{".spec.colour", ".spec.grain"}, {".spec.tags", ".spec.size"}}, ".spec.colour", []string{lost}},
		"named from above":     {[][]string{{".spec.finish.tone", ".spec.tags"}}, ".spec.finish", nil},
		"named below":          {[][]string{{".spec.finish", ".spec.tags"}}, ".spec.finish.tone", nil},
		"a neighbour is named": {[][]string{{".spec.finish.tone", ".spec.tags"}}, ".spec.finish.gloss", []string{lost}},
		"unreadable":           {[][]string{{"colour", ".spec.tags"}}, ".spec.colour", []string{lost}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.h.Header.Plan.Related = c.related
			s.create("bystander-1", `{"size": "1", "tags": ["a"]}`)
			s.does(term.MergePatch, "bystander-1", object{}, []edit{with(".spec.tags", nil)}, set(c.named, nil), via("a"))
			s.finds(c.want...)
		})
	}
}

// To set one path of a group offers that path alone: what the server makes of
// the others is its own.
func TestRelatedPathsOfferNothing(t *testing.T) {
	s := mixed(t)
	s.h.Header.Plan.Related = [][]string{{".spec.colour", ".spec.tags"}}
	s.create("bystander-1", `{"colour": "red", "tags": ["red"]}`)
	s.does(term.MergePatch, "bystander-1", spec(object{"colour": "blue"}), []edit{with(".spec.tags", []any{"blue"})}, set(".spec.colour", "blue"), via("a"))
	s.store("bystander-1", ".spec.tags", []any{"green"})
	s.edge()
	s.finds()
	s.store("bystander-1", ".spec.colour", "green")
	s.edge()
	s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`)
}
