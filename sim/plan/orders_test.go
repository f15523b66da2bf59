package plan

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

// ordered is the plan of a scenario of the catalogue with orders.
func ordered(t *testing.T, name string, seed int64, change func(*scenarios.Scenario)) *Plan {
	t.Helper()
	s, err := load.Find(name)
	require.NoError(t, err)
	played := *s
	change(&played)
	p, err := Build(&played, Pair{Old: "old", New: "new"}, seed)
	require.NoError(t, err)
	return p
}

func many(n int) func(*scenarios.Scenario) {
	return func(s *scenarios.Scenario) { s.Orders = n }
}

// course is what befalls the copy of an order, in words without numbers.
func course(p *Plan, number int) []string {
	var all []string
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if i := slices.IndexFunc(p.Copies, func(c Copy) bool { return c.Name == s.Copy }); i >= 0 && p.Copies[i].Order == number {
				all = append(all, stage.Name+": "+s.String())
			}
		}
	}
	return all
}

// TestOrdersAreSeeded: an order is the same among few, among many and by itself;
// another seed draws another, and the scenario's own copies stay as they are.
func TestOrdersAreSeeded(t *testing.T) {
	some, more := ordered(t, "add-field", 0, many(20)), ordered(t, "add-field", 0, many(40))
	only := ordered(t, "add-field", 0, func(s *scenarios.Scenario) { s.Orders, s.Order = 20, 17 })
	other := ordered(t, "add-field", 1, many(20))
	require.Len(t, some.Orders(), 20)
	require.Len(t, only.Orders(), 1)
	assert.Equal(t, course(some, 17), course(more, 17))
	assert.Equal(t, course(some, 17), course(only, 17))
	assert.NotEqual(t, course(some, 17), course(other, 17))
	assert.NotEqual(t, course(some, 17), course(some, 18))
	none := ordered(t, "add-field", 0, many(0))
	assert.Equal(t, none.Copies, some.Copies[:len(none.Copies)])
}

// TestOrdersAtEachStage: from its birth on a copy meets one to three operations
// at each stage, and a delete at most at the very end.
func TestOrdersAtEachStage(t *testing.T) {
	p := ordered(t, "add-field", 7, many(100))
	seen, deletes := map[int]bool{}, 0
	for _, c := range p.Orders() {
		born, gone := false, false
		for _, stage := range p.Stages {
			n := 0
			for _, s := range stage.Steps {
				switch {
				case s.Copy != c.Name:
				case s.Birth:
					born = true
				default:
					assert.False(t, gone, "%s: step %d comes after its delete", c.Name, s.Number)
					n, gone = n+1, gone || s.Verb.Deletes()
				}
			}
			if born {
				assert.True(t, n >= 1 && n <= 3, "%s at %s: %d operations", c.Name, stage.Name, n)
				seen[n] = true
			}
		}
		if gone {
			deletes++
		}
	}
	assert.Len(t, seen, 3)
	assert.Positive(t, deletes)
}

// TestOrdersLeaveOut: nothing is drawn that declares a refusal or stands alone,
// and of the rest respond is not held.
func TestOrdersLeaveOut(t *testing.T) {
	steps := func(p *Plan) (lines map[int]bool) {
		lines = map[int]bool{}
		for _, stage := range p.Stages {
			for _, s := range stage.Steps {
				if slices.ContainsFunc(p.Orders(), func(c Copy) bool { return c.Name == s.Copy }) {
					lines[s.Line] = true
					assert.Nil(t, s.Respond)
				}
			}
		}
		return lines
	}
	s, err := load.Find("plural")
	require.NoError(t, err)
	lone := -1
	drawn := steps(ordered(t, "plural", 0, many(300)))
	for i, line := range s.Play {
		at := s.Lines[fmt.Sprintf("play[%d]", i)]
		refused := line.Respond != nil && line.Respond.Code >= 400
		if refused || line.Alone {
			assert.False(t, drawn[at], "line %d", at)
		}
		if lone < 0 && line.Touch != "" && drawn[at] {
			lone = i
		}
	}
	require.NotEqual(t, -1, lone)
	play := slices.Clone(s.Play)
	play[lone].Alone = true
	less := steps(ordered(t, "plural", 0, func(s *scenarios.Scenario) { s.Play, s.Orders = play, 300 }))
	assert.False(t, less[s.Lines[fmt.Sprintf("play[%d]", lone)]])
}

// TestOrdersOfForms: orders are of both forms where an object has both.
func TestOrdersOfForms(t *testing.T) {
	roles := map[term.CopyRole]int{}
	for _, c := range ordered(t, "add-field", 0, many(50)).Orders() {
		roles[c.Role]++
	}
	assert.Positive(t, roles[term.Treated])
	assert.Positive(t, roles[term.Bystander])
	assert.Len(t, roles, 2)
}

// TestOrdersOfWhatIsWrong: a scenario that expects a violation has no orders.
func TestOrdersOfWhatIsWrong(t *testing.T) {
	s, err := load.Find("skip-storage")
	require.NoError(t, err)
	played := *s
	for _, change := range []func(){func() { played.Orders = 20 }, func() { played.Orders, played.Order = 0, 3 }} {
		change()
		_, err = Build(&played, Pair{Old: "old", New: "new"}, 0)
		require.ErrorContains(t, err, "skip-storage.yaml:")
		assert.ErrorContains(t, err, "orders are not drawn from a scenario that expects a violation")
	}
	played.Order = 0
	_, err = Build(&played, Pair{Old: "old", New: "new"}, 0)
	assert.NoError(t, err)
}
