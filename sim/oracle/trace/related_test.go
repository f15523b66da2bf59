package trace_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
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
			run := oracletest.NewMixed(t)
			run.History.Header.Plan.Related = c.related
			run.Create("bystander-1", `{"size": "1", "tags": ["a"]}`)
			run.Do(term.MergePatch, "bystander-1", oracletest.Object{}, []oracletest.Edit{oracletest.With(".spec.tags", nil)}, oracletest.Set(c.named, nil), oracletest.Via("a"))
			run.ExpectFindings(c.want...)
		})
	}
}

// To set one path of a group offers that path alone: what the server makes of
// the others is its own.
func TestRelatedPathsOfferNothing(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.History.Header.Plan.Related = [][]string{{".spec.colour", ".spec.tags"}}
	run.Create("bystander-1", `{"colour": "red", "tags": ["red"]}`)
	run.Do(term.MergePatch, "bystander-1", oracletest.Spec(oracletest.Object{"colour": "blue"}), []oracletest.Edit{oracletest.With(".spec.tags", []any{"blue"})}, oracletest.Set(".spec.colour", "blue"), oracletest.Via("a"))
	run.Change("bystander-1", ".spec.tags", []any{"green"})
	run.Observe()
	run.ExpectFindings()
	run.Change("bystander-1", ".spec.colour", "green")
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`)
}
