package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// inVersions serves the gadgets in v1 and v2 through the servers whose names have one of
// the given suffixes: unchanged in v1, and only with a name in v2.
func inVersions(v1, v2 []string) func(place, method, path string) (int, string) {
	has := func(place string, ends []string) bool {
		for _, end := range ends {
			if strings.HasSuffix(place, end) {
				return true
			}
		}
		return false
	}
	return func(place, method, path string) (int, string) {
		at := strings.TrimPrefix(path, "/openapi/v3")
		switch {
		case path == "/apis/example.dev":
			return 200, `{"versions":[{"groupVersion":"example.dev/v1"},{"groupVersion":"example.dev/v2"}],"preferredVersion":{"groupVersion":"example.dev/v2"}}`
		case strings.HasPrefix(at, "/apis/example.dev/v1") && !has(place, v1), strings.HasPrefix(at, "/apis/example.dev/v2") && !has(place, v2):
			return 404, `{"kind":"Status","apiVersion":"v1","code":404,"reason":"NotFound","message":"the server could not find the requested resource"}`
		case path == "/apis/example.dev/v2":
			return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true}]}`
		case strings.HasPrefix(path, "/apis/example.dev/v2") && strings.HasSuffix(path, "/gadgets"):
			return 200, `{"metadata":{"resourceVersion":"100"},"items":[{"metadata":{"name":"x-treated-001","namespace":"n","resourceVersion":"12"}}]}`
		case strings.HasPrefix(path, "/apis/example.dev/v2"):
			return 200, `{"apiVersion":"example.dev/v2","kind":"Gadget","metadata":{"name":"x-treated-001","resourceVersion":"12"}}`
		}
		return 0, ""
	}
}

// TestFollowed: a kind that a release serves only in another version than the manifest's is
// LISTed, and tried as dry runs, in that version. A release that serves the manifest's
// version is asked in that, whatever else it serves.
func TestFollowed(t *testing.T) {
	t.Parallel() // its LISTs wait for values that the server of the test never shows
	old, new := []string{"-old", "a-1"}, []string{"-new", "a-2"}
	for _, c := range []struct {
		name    string
		v1, v2  []string
		follows map[string]string
		in      string // the version that the new release is asked in
	}{
		{"in v2 alone", old, new, map[string]string{history.Follow("example.dev/v1", "Gadget"): "example.dev/v2"}, "example.dev/v2"},
		{"in both", append(old, new...), new, nil, "example.dev/v1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, h := played(t, "{touch: x, via: old}", inVersions(c.v1, c.v2))
			assert.Equal(t, c.follows, h.Releases[term.New].Follows)
			assert.Empty(t, h.Releases[term.Old].Follows)
			listed := map[string]bool{}
			for _, l := range h.Listings {
				if l.Role == term.New {
					listed[l.APIVersion] = true
				}
			}
			assert.Equal(t, map[string]bool{c.in: true}, listed)
			tries := 0
			for _, o := range h.Operations {
				if o.Purpose == history.Try && o.Role == term.New {
					tries++
					assert.Contains(t, o.Exchange.Path, "/apis/"+c.in+"/")
					assert.Equal(t, c.follows != nil, o.Follows == c.in)
				}
			}
			assert.NotZero(t, tries)
		})
	}
}

// TestAARunInAnotherVersion: an A/A run whose release serves an object's resource only in
// another version leaves the object out, and runs the rest; in a run of two releases
// neither of which serves the manifest's version the file is wrong, as in an A/A run for a
// kind that is not served at all.
func TestAARunInAnotherVersion(t *testing.T) {
	ends := []string{"-old", "-new", "a-1", "a-2"}
	for _, c := range []struct {
		of  term.Role
		v2  []string
		err string
	}{
		{term.New, ends, ""},
		{"", ends, "served by neither v1 nor v2"},
		{term.New, nil, "served by neither v1 nor v2"},
	} {
		w := runtest.NewWorld(t)
		w.Answer = inVersions(nil, c.v2)
		p := runtest.SmallPlan(t, playing("{touch: x, via: old}"))
		p.AA = c.of
		config := config(t, w, p)
		err := Run(runtest.Bounded(t), config)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.NotEmpty(t, load(t, config).Skips)
	}
}
