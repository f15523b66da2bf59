package catalogue

import (
	"cmp"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
)

// TestBuiltPairs: of the releases that are built, those that a scenario applies
// to: neighbours, unless its own pair lies otherwise or no pair is of neighbours.
func TestBuiltPairs(t *testing.T) {
	built := map[string][]*version.Version{}
	for _, v := range []string{"v1.33.13", "v1.34.4", "v1.36.3", "v1.37.0-rc.1"} {
		built["kube-apiserver"] = append(built["kube-apiserver"], version.Must(version.NewVersion(v)))
	}
	for _, tc := range []struct {
		name    string
		of      scenarios.Releases
		applies string
		pairs   []string
	}{
		{"anything", scenarios.Releases{}, "any", []string{"v1.33.13..v1.34.4", "v1.36.3..v1.37.0-rc.1"}},
		{"constraints", scenarios.Releases{Old: "< 1.37", New: ">= 1.37"}, "old < 1.37; new >= 1.37", []string{"v1.36.3..v1.37.0-rc.1"}},
		{"no neighbours", scenarios.Releases{Old: ">= 1.34, < 1.36"}, "old >= 1.34, < 1.36", []string{"v1.34.4..v1.36.3", "v1.34.4..v1.37.0-rc.1"}},
		{"skips a minor", scenarios.Releases{Pair: "kube-apiserver@v1.35.4..v1.37.0"}, "any", []string{"v1.34.4..v1.36.3"}},
		{"one release", scenarios.Releases{Pair: "kube-apiserver@v1.37.0..v1.37.0", New: "< 1.34"}, "new < 1.34", []string{"v1.33.13..v1.33.13"}},
		{"none", scenarios.Releases{New: ">= 2"}, "new >= 2", nil},
		{"a chain", scenarios.Releases{Through: scenarios.Through{{Release: "kube-apiserver@v1.34.4,v1.35.4"}}}, "any", nil},
		{"never cached", scenarios.Releases{Of: "frobber"}, "any", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.of.Of = cmp.Or(tc.of.Of, "kube-apiserver")
			assert.Equal(t, tc.applies, appliesTo(tc.of))
			assert.Equal(t, tc.pairs, builtPairs(&scenarios.Scenario{Releases: tc.of}, built))
		})
	}
}
