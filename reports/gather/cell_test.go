package gather

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
)

// TestReleasesOf: an unplayed cell's column is that of its pair's runs, as far as is known
// what these would call it.
func TestReleasesOf(t *testing.T) {
	builds := []matrix.Build{{Role: term.Old, Version: "v1.35.4"}, {Role: term.New, Version: "v9", Client: true}, {Role: term.New, Version: "v1.36.1"}}
	for _, c := range []struct {
		cell matrix.Cell
		want string
	}{
		{matrix.Cell{Pair: "frobber@1.0..1.1", Scenario: "a"}, "v1.0.0 .. v1.1.0"},
		{matrix.Cell{Pair: "frobber@1.0..1.1", Scenario: "a+mutant"}, "v1.0.0 .. v1.1.0+mutant"},
		{matrix.Cell{Pair: "frobber@1.0..1.1+mutant", Scenario: "a"}, "v1.0.0 .. v1.1.0+mutant"},
		{matrix.Cell{Pair: "kube-apiserver@v1.35.4..v1.36.1", Scenario: "a"}, "v1.35.4 .. v1.36.1"},
		{matrix.Cell{Pair: "module:k8s.io/sample-apiserver@v0.35.4..v0.37.0", Scenario: "a"}, "v0.35.4 .. v0.37.0"},
		{matrix.Cell{Pair: "path:a..path:b", Scenario: "a"}, "path:a .. path:b"},
		{matrix.Cell{Pair: "path:a..path:b", Scenario: "a", Builds: builds}, "v1.35.4 .. v1.36.1"},
		{matrix.Cell{Pair: "no pair", Scenario: "a"}, "no pair"},
	} {
		assert.Equal(t, c.want, result.Result{Releases: releasesOf(c.cell)}.Pair(), "%+v", c.cell)
	}
}
