package fuzz

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestBehindFeatures: a value that is dropped with the features off, and kept or refused
// with them on, depends on them; one that is dropped in both laps is a violation.
func TestBehindFeatures(t *testing.T) {
	drops := func(object map[string]any) { delete(object["spec"].(map[string]any), "colour") }
	for name, c := range map[string]struct {
		on   func(object map[string]any) int
		want term.Class
	}{
		"kept":    {func(map[string]any) int { return 0 }, term.Impact},
		"refused": {func(map[string]any) int { return http.StatusUnprocessableEntity }, term.Impact},
		"dropped": {func(object map[string]any) int { drops(object); return 0 }, term.Violation},
		"ending":  {func(map[string]any) int { return http.StatusServiceUnavailable }, term.Violation},
	} {
		g := &fakeServer{before: func(_ *fakeServer, method string, object map[string]any) int {
			if method != http.MethodPost {
				return 0
			}
			return c.on(object)
		}}
		l := gadgetLap(t, g, 1)
		l.plan.name = "on"
		origin := Places("Gadget", l.releases)[0]
		l.result.Findings = []Finding{{
			Class: term.Violation, Outcome: term.Dropped, Kind: "Gadget", Path: ".spec.colour", Laps: []string{"off"}, origin: origin,
			Object: map[string]any{"apiVersion": "v1", "kind": "Gadget", "metadata": map[string]any{}, "spec": map[string]any{"size": int64(5), "colour": "Red"}},
		}}
		require.NoError(t, l.behindFeatures(t.Context()), name)
		assert.Equal(t, c.want, l.result.Findings[0].Class, name)
	}
}
