package plan_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/sim/plan"
)

const beforePlay = "name: s\nabout: x\nobjects: {x: {treated: treated.yaml}}\nplay:\n- {create: x, via: old}\n"

// tooLarge is the error of a scenario that multiplies to more than a plan may have.
func tooLarge(t *testing.T, text string) *plan.SizeError {
	t.Helper()
	began := time.Now()
	_, err := plan.Build(parse(t, "s", text), pair, 0)
	var size *plan.SizeError
	require.ErrorAs(t, err, &size)
	assert.Less(t, time.Since(began), 10*time.Second, "nothing is made")
	return size
}

// TestPlanIsBounded: the lines that multiply most are named; the same lines with short
// lists are planned.
func TestPlanIsBounded(t *testing.T) {
	words := "[" + strings.Repeat("old, new, ", 40) + "a]"
	long := "- {touch: x, via: " + words + ", read: " + words + "}\n"
	short := "- {touch: x, via: [old, new], read: [old, new]}\n"
	size := tooLarge(t, beforePlay+strings.Repeat(short, 3)+long+long)
	assert.Equal(t, []int{4, 5}, []int{size.Lines[0].Index, size.Lines[1].Index})
	assert.Equal(t, []int{9, 10}, []int{size.Lines[0].Line, size.Lines[1].Line})
	assert.Len(t, size.Lines, 2, "short lines are not named")
	assert.Contains(t, size.Error(), "line 9")
	p := build(t, parse(t, "s", beforePlay+strings.Repeat(short, 90)), 0)
	assert.NotEmpty(t, p.Copies)
}

// TestPlanOfManyMediumLines: 100 lines of which none is long may be too many together.
func TestPlanOfManyMediumLines(t *testing.T) {
	line := "- {touch: x, client: [old-typed, new-typed, dynamic], verb: [put, unchanged-put, json-patch, merge-patch, merge-diff, strategic-diff, strategic-patch], read: [old, new], via: [old, new], at: every}\n"
	size := tooLarge(t, beforePlay+strings.Repeat("- {create: x, via: old}\n", 15)+strings.Repeat(line, 84))
	assert.Greater(t, size.Steps, size.Lines[0].Steps*50)
	p := build(t, parse(t, "s", beforePlay+strings.Repeat(line, 84)), 0)
	assert.NotEmpty(t, p.Copies)
}

// TestWaysAreBounded: so too where what follows a line multiplies, however often.
func TestWaysAreBounded(t *testing.T) {
	follows := "  - {touch: x, client: [old-typed, new-typed, dynamic], read: [old, new], via: [old, new], verb: [put, merge-diff, strategic-diff]}\n"
	text := beforePlay + "- touch: x\n  at: upgrading\n  then:\n"
	assert.Equal(t, 6, tooLarge(t, text+strings.Repeat(follows, 40)).Lines[0].Line)
	assert.NotEmpty(t, build(t, parse(t, "s", text+follows), 0).Copies)
}

// TestOrdersAreBounded: orders count as lines do, each as a copy that meets some operations at
// each stage; one alone is small, whatever its number.
func TestOrdersAreBounded(t *testing.T) {
	many := "- {touch: x, via: [old, new]}\n"
	size := tooLarge(t, "orders: 10000\n"+beforePlay+many)
	assert.Equal(t, 1, size.Orders.Line)
	assert.Greater(t, size.Orders.Steps, size.Lines[0].Steps)
	s := parse(t, "s", "orders: 3000\n"+beforePlay+many)
	assert.NotEmpty(t, build(t, s, 0).Orders())
	s.Orders, s.Order = 10_000, 9_999
	assert.Len(t, build(t, s, 0).Orders(), 1)
}

// TestUnplayableIsBounded: what no stage can play is listed, which takes as much room.
func TestUnplayableIsBounded(t *testing.T) {
	many := func(word string) string { return "[" + strings.Repeat(word+", ", 300) + word + "]" }
	tooLarge(t, beforePlay+"- {touch: x, client: "+many("old-typed")+", verb: "+many("put")+", via: new, at: old}\n")
}

// TestCatalogueFits: no scenario is near the bound, also with 200 orders where it can
// have them; what is counted is close to what is planned.
func TestCatalogueFits(t *testing.T) {
	all, err := load.Catalogue()
	require.NoError(t, err)
	for _, entry := range all {
		s := entry.Scenario
		pairOf := plan.Pair{Old: s.Releases.Of + "@v1.36.3", New: s.Releases.Of + "@v1.37.0"}
		p, err := plan.Build(s, pairOf, 0)
		var size *plan.SizeError
		require.NotErrorAs(t, err, &size, entry.Name)
		if err != nil {
			continue // it wants other releases
		}
		planned := len(p.Skipped)
		for _, stage := range p.Stages {
			planned += len(stage.Steps)
		}
		counted := plan.Counted(p, s, pairOf)
		assert.Less(t, counted, plan.MaxSteps/5, entry.Name)
		assert.Less(t, counted, 2*planned+100, entry.Name)
		with := *s
		with.Orders = 200
		_, err = plan.Build(&with, pairOf, 0)
		assert.NotErrorAs(t, err, &size, entry.Name)
	}
}
