package fuzz

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
)

// TestExample: the example is that of the object's own release and version, if there is
// one.
func TestExample(t *testing.T) {
	of := func(text string) json.RawMessage { return json.RawMessage(`{"is": "` + text + `"}`) }
	f := &fuzzer{config: Config{Examples: map[term.Role]objects.Examples{
		term.Old: {"x.dev/v1/gadgets": of("old v1"), "v1/gadgets": of("core")},
		term.New: {"x.dev/v1/gadgets": of("new v1"), "x.dev/v2/gadgets": of("new v2"), "y.dev/v1/gadgets": of("other")},
	}}}
	for _, c := range []struct {
		role    term.Role
		version string
		want    any
	}{
		{term.Old, "x.dev/v1", "old v1"}, {term.New, "x.dev/v1", "new v1"}, {term.Old, "x.dev/v2", "old v1"},
		{term.New, "x.dev/v3", "new v1"}, {term.New, "v1", "core"}, {term.New, "z.dev/v1", nil},
	} {
		assert.Equal(t, c.want, f.example(Place{Role: c.role, Resource: client.Discovered{APIVersion: c.version, Plural: "gadgets"}})["is"], c)
	}
}

// TestExampleIsTaken: if a server accepts hardly anything, each object is simplified to its
// example at last; without one all are given up.
func TestExampleIsTaken(t *testing.T) {
	for given, accepted := range map[bool]int{true: 8, false: 0} {
		g := &fakeServer{before: func(_ *fakeServer, method string, object map[string]any) int {
			spec, _ := object["spec"].(map[string]any)
			if method == http.MethodPost && (spec["shape"] != "0 0 * * *" || spec["size"] != float64(42) || spec["colour"] != nil) {
				return http.StatusUnprocessableEntity
			}
			return 0
		}}
		l := gadgetLap(t, g, 8)
		if given {
			l.config.Examples = map[term.Role]objects.Examples{term.New: {"v1/gadgets": json.RawMessage(`{"spec": {"size": 42, "shape": "0 0 * * *"}}`)}}
		}
		assert.Equal(t, accepted, l.rideAll(t).Laps[0].Kinds[0].Accepted)
	}
}
