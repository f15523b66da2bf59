package fuzz

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/term"
)

func only1(gate string) func(string) bool { return func(name string) bool { return name == gate } }

// TestFollow: what a gate of the lap hangs on is switched with it; but a gate that the
// user has decided on is not: the server's words are told then.
func TestFollow(t *testing.T) {
	ended := &servers.ExitError{Tail: []string{"Error: Glow is enabled, but depends on features that are disabled: [Base Light]"}}
	for name, c := range map[string]struct {
		on    bool
		given string
		gates map[string]bool
		want  []string
	}{
		"on":               {true, "", map[string]bool{"Glow": true}, []string{"Base", "Light"}},
		"on, one given":    {true, "Base", map[string]bool{"Glow": true, "Base": false}, []string{"Light"}},
		"on, is already":   {true, "", map[string]bool{"Glow": true, "Base": true, "Light": true}, nil},
		"off":              {false, "", map[string]bool{"Base": false}, []string{"Glow"}},
		"off, it is given": {false, "Glow", map[string]bool{"Base": false, "Glow": true}, nil},
	} {
		given := c.gates[c.given]
		assert.Equal(t, c.want, follow(ended, c.on, c.gates, only1(c.given)), name)
		assert.Equal(t, given, c.gates[c.given], "%s: the user has decided", name)
		for _, gate := range c.want {
			assert.Equal(t, c.on, c.gates[gate], "%s: %s", name, gate)
		}
	}
	assert.Empty(t, follow(assert.AnError, true, map[string]bool{"Glow": true}, only1("")), "no words of a server")
}

// TestFollowedIsTold: in the text as in the result.
func TestFollowedIsTold(t *testing.T) {
	l := &lap{releases: map[term.Role]*release{term.Old: {followed: []string{"B"}}, term.New: {followed: []string{"B", "A"}}}}
	assert.Equal(t, []string{"A", "B"}, l.followed())
	var text bytes.Buffer
	require.NoError(t, Text(&text, Result{Features: []string{"Glow"}, Laps: []Lap{{Features: "on", Followed: l.followed()}, {Features: "off"}}}))
	assert.Contains(t, text.String(), "features on (Glow)\n  and with them, since they hang on them: A, B\n")
	assert.Contains(t, text.String(), "features off (Glow)\n\n", "and none where there is none")
}

// TestUnswitchable: a gate that no lap can switch is no gate to ask for.
func TestUnswitchable(t *testing.T) {
	r := func(version string, features ...client.Feature) *release {
		return &release{version: version, features: features}
	}
	old := r("v1", client.Feature{Name: "Glow", Stage: "ALPHA"}, client.Feature{Name: "Firm"})
	new := r("v2", client.Feature{Name: "Glow"}, client.Feature{Name: "Shine", Stage: "BETA"})
	for name, want := range map[string]string{
		"Glow": "", "Shine": "",
		"Glwo":  "--features Glwo: neither v1 nor v2 has a gate",
		"Firm":  "--features Firm: neither v1 nor v2 has a gate",
		"Given": "--features Given: --old-gates or --new-gates decides on it",
	} {
		err := unswitchable(old, new, []string{name}, only1("Given"))
		if want == "" {
			assert.NoError(t, err, name)
			continue
		}
		var request *servers.RequestError
		require.ErrorAs(t, err, &request, name)
		assert.ErrorContains(t, err, want)
	}
	assert.NoError(t, unswitchable(old, new, nil, only1("")))
}
