package matrix

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/pairing"
)

func release(component, version string) pairing.Release {
	return pairing.Release{Reference: component + "@" + version, Component: component, Version: version}
}

func pairOf(component, old, new string) pairing.Pair {
	return pairing.Pair{Old: release(component, old), New: release(component, new)}
}

// TestExclude: one line for a scenario and a reason, with all its pairs.
func TestExclude(t *testing.T) {
	var all []Excluded
	for _, pair := range []string{"a", "b"} {
		all = Exclude(all, "s", pairing.Why{Kind: pairing.Old, Text: "too new"}, pair)
		all = Exclude(all, "t", pairing.Why{Kind: pairing.Old, Text: "too new"}, pair)
	}
	all = Exclude(all, "s", pairing.Why{Kind: pairing.New, Text: "too old"}, "c")
	all = Exclude(all, "u", pairing.Why{Kind: pairing.Unoffered, Text: "none"}, "")
	assert.Equal(t, []Excluded{
		{"s", pairing.Old, "too new", []string{"a", "b"}}, {"t", pairing.Old, "too new", []string{"a", "b"}},
		{"s", pairing.New, "too old", []string{"c"}}, {"u", pairing.Unoffered, "none", []string{}},
	}, all)
}
