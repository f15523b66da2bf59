package act

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestNotRemoved: a removal whose value the answer still shows is checked, whether the
// object itself is written or a subresource with its form; not for a status, which has no
// defaults, nor for a scale, nor if the value is gone.
func TestNotRemoved(t *testing.T) {
	for _, c := range []struct {
		subresource, answer string
		code, want          int
	}{
		{"", `{"spec": {"size": 1}}`, 200, 1},
		{"resize", `{"spec": {"size": 1}}`, 200, 1},
		{"resize", `{"spec": {}}`, 200, 0},
		{"resize", `{"spec": {"size": 1}}`, 422, 0},
		{term.StatusPart, `{"spec": {"size": 1}}`, 200, 0},
		{term.ScalePart, `{"spec": {"size": 1}}`, 200, 0},
	} {
		a := &act{manifest: plan.Manifest{APIVersion: "example.dev/v1"}, sender: sender{step: plan.Step{
			Verb: term.MergePatch, Subresource: c.subresource,
			Change: &plan.Change{Kind: plan.Fields, Names: []string{".spec.size"}, Fields: map[string]any{".spec.size": nil}},
		}}}
		assert.Len(t, a.notRemoved(client.Answer{Code: c.code, Body: []byte(c.answer)}), c.want, c)
	}
}
