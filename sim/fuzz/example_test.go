package fuzz

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

func parsed(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &object))
	return object
}

// TestLaidUnder: an example stays as it is, and what was made is put beside it, in each
// element of its lists too.
func TestLaidUnder(t *testing.T) {
	example := parsed(t, `{"spec": {"one": {"a": 1}, "list": [{"n": "x"}, {"n": "y"}], "words": ["x"]}}`)
	made := parsed(t, `{"spec": {"one": {"a": 7, "b": 2}, "two": 3, "list": [{"n": "z", "m": 4}], "words": ["z"]}, "data": 5}`)
	want := parsed(t, `{"spec": {"one": {"a": 1, "b": 2}, "two": 3, "list": [{"n": "x", "m": 4}, {"n": "y", "m": 4}], "words": ["x"]}, "data": 5}`)
	assert.Equal(t, want, laidUnder(example, made))
	assert.Equal(t, example, laidUnder(example, map[string]any{}))
}

// TestNaming: where an example's name is an address, or is made of what the object holds,
// each copy's name is so; else a name is free.
func TestNaming(t *testing.T) {
	for name, c := range map[string]struct {
		example, want string
		free          bool
	}{
		"free":         {`{"metadata": {"name": "x"}}`, `{"metadata": {"name": "fuzz-1"}}`, true},
		"none":         {`{"spec": {}}`, `{"spec": {}, "metadata": {"name": "fuzz-1"}}`, true},
		"of a member":  {`{"metadata": {"name": "xs.example.com"}, "spec": {"plural": "xs", "group": "example.com"}}`, `{"metadata": {"name": "fuzz-1.example.com"}, "spec": {"plural": "fuzz-1", "group": "example.com"}}`, false},
		"with dots":    {`{"metadata": {"name": "a.b"}, "spec": {"c": "d"}}`, `{"metadata": {"name": "fuzz-1.b"}, "spec": {"c": "d"}}`, true},
		"of its owner": {`{"metadata": {"name": "example.com:signer:abc"}}`, `{"metadata": {"name": "example.com:signer:fuzz-1"}}`, false},
	} {
		example := parsed(t, c.example)
		n := namingOf(example)
		object, full := n.name(example, "fuzz-1")
		assert.Equal(t, parsed(t, c.want), object, name)
		assert.Equal(t, object["metadata"].(map[string]any)["name"], full)
		assert.Equal(t, c.free, n.free(), name)
	}
	n := namingOf(parsed(t, `{"metadata": {"name": "192.168.1.3"}}`))
	_, one := n.name(map[string]any{}, "fuzz-1-1")
	_, two := n.name(map[string]any{}, "fuzz-1-2")
	assert.NotEqual(t, one, two)
	_, err := netip.ParseAddr(one)
	assert.NoError(t, err)
}

// TestExample is that of the object's own release and version, where there is one.
func TestExample(t *testing.T) {
	of := func(text string) json.RawMessage { return json.RawMessage(`{"is": "` + text + `"}`) }
	f := &fuzzer{config: Config{Examples: map[term.Role]Examples{
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
		assert.Equal(t, c.want, f.example(place{c.role, client.Discovered{APIVersion: c.version, Plural: "gadgets"}})["is"], c)
	}
}

// TestExampleIsTaken: where a server takes hardly anything, each object comes to be its
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
			l.config.Examples = map[term.Role]Examples{term.New: {"v1/gadgets": json.RawMessage(`{"spec": {"size": 42, "shape": "0 0 * * *"}}`)}}
		}
		assert.Equal(t, accepted, l.rideAll(t).Laps[0].Kinds[0].Accepted)
	}
}
