package fuzz

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestPanickedServer: a server that panics at one member is a finding, with the smallest
// object that causes the panic, and the run continues; if the connection breaks and no log
// has a panic, one object is given up, and nothing is found.
func TestPanickedServer(t *testing.T) {
	for how, panics := range map[int]bool{panicking: true, brokenOff: false} {
		g := &fakeServer{before: func(_ *fakeServer, method string, object map[string]any) int {
			spec, _ := object["spec"].(map[string]any)
			if _, coloured := spec["colour"]; method == http.MethodPost && coloured {
				return how
			}
			return 0
		}}
		l := gadgetLap(t, g, 8)
		r := l.rideAll(t)
		k := r.Laps[0].Kinds[0]
		assert.Equal(t, 8, k.Objects)
		assert.Empty(t, r.Ended)
		if !panics {
			assert.Empty(t, r.Violations())
			assert.NotEmpty(t, k.Broken)
			assert.Len(t, k.Broken, 8-k.Accepted)
			continue
		}
		assert.Greater(t, k.Accepted, 4, "what is left of an object is accepted")
		assert.Empty(t, k.Broken)
		require.Len(t, r.Violations(), 2, "one of each release")
		for _, f := range r.Violations() {
			assert.Equal(t, []any{term.CheckRule3, term.Rule3, term.Panicked, "x.f"}, []any{f.Check, f.Rule, f.Outcome, f.Panic.Function})
			assert.ElementsMatch(t, []string{"size", "colour"}, slices.Collect(maps.Keys(f.Object["spec"].(map[string]any))))
		}
	}
}

// TestConflict: a copy that a controller writes between a read and a write is read again,
// as clients do; one whose writes always conflict is frozen.
func TestConflict(t *testing.T) {
	for most, frozen := range map[int]bool{1: false, 1 << 30: true} {
		said := 0
		g := &fakeServer{before: func(_ *fakeServer, method string, _ map[string]any) int {
			if method == http.MethodPut && said < most {
				said++
				return http.StatusConflict
			}
			return 0
		}}
		r := gadgetLap(t, g, 1).rideAll(t)
		assert.Equal(t, frozen, len(r.Violations()) > 0, r.Findings)
	}
}

// TestUndecided: an answer that says nothing of the object is no violation, one that decides is.
func TestUndecided(t *testing.T) {
	for name, c := range map[string]struct {
		method string
		code   int
		again  int // the answer to reads after a write
		breaks bool
	}{
		"a read, busy":                  {http.MethodGet, http.StatusServiceUnavailable, 0, false},
		"a read, turned away":           {http.MethodGet, http.StatusForbidden, 0, false},
		"a read that cannot decode":     {http.MethodGet, http.StatusInternalServerError, 0, true},
		"a write, busy":                 {http.MethodPut, http.StatusGatewayTimeout, 0, false},
		"a write that is refused":       {http.MethodPut, http.StatusUnprocessableEntity, 0, true},
		"a conflict, and no read again": {http.MethodPut, http.StatusConflict, http.StatusServiceUnavailable, false},
	} {
		written := false
		g := &fakeServer{before: func(_ *fakeServer, method string, _ map[string]any) int {
			switch {
			case method == http.MethodPost:
				written = false
			case method == c.method:
				written = true
				return c.code
			case method == http.MethodGet && written:
				return c.again
			}
			return 0
		}}
		r := gadgetLap(t, g, 1).rideAll(t)
		assert.Equal(t, c.breaks, len(r.Violations()) > 0, "%s: %v", name, r.Findings)
	}
}
