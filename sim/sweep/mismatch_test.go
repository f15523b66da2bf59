package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestMerged: equal mismatches are one, and those that affect clients come first.
func TestMerged(t *testing.T) {
	shadowed := Mismatch{Lap: term.DefaultLap, Release: term.New, Field: "spec.a", Error: "Invalid value", Shadowed: true, Count: 1}
	enforced := Mismatch{Lap: term.GatesLap, Release: term.New, Field: "spec.b", Error: "Forbidden", Extra: true, Count: 2}
	twice := shadowed
	twice.Count = 2
	got := MergedMismatches([]Mismatch{shadowed, enforced, shadowed})
	assert.Equal(t, []Mismatch{enforced, twice}, got)
	assert.Equal(t, []string{
		"gates lap, new release, spec.b (Forbidden): declarative validation, which is enforced, refuses what hand-written validation accepts; 2 times",
		"default lap, new release, spec.a (Invalid value): declarative validation, which is not enforced, accepts what hand-written validation refuses; 2 times",
	}, []string{got[0].String(), got[1].String()})
	assert.Empty(t, MergedMismatches(nil))
}
