package servers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

func only1(gate string) func(string) bool { return func(name string) bool { return name == gate } }

// TestFollowGates: FollowGates changes the gates that a gate depends on, except those that the
// user has set; then the error of the server stays.
func TestFollowGates(t *testing.T) {
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
		assert.Equal(t, c.want, servers.FollowGates(ended, c.on, c.gates, only1(c.given)), name)
		assert.Equal(t, given, c.gates[c.given], "%s: the user has decided", name)
		for _, gate := range c.want {
			assert.Equal(t, c.on, c.gates[gate], "%s: %s", name, gate)
		}
	}
	assert.Empty(t, servers.FollowGates(assert.AnError, true, map[string]bool{"Glow": true}, only1("")), "no words of a server")
}

// TestStartFollowing: a server is started again while its gates are followed, and is given up at last.
func TestStartFollowing(t *testing.T) {
	ended := &servers.ExitError{}
	for name, c := range map[string]struct {
		follows, starts int // how often gates are changed, and the server starts
		fails           bool
	}{
		"at once":          {0, 1, false},
		"with other gates": {2, 3, false},
		"another reason":   {0, 1, true},
		"for ever":         {100, 8, true},
	} {
		starts := 0
		_, err := servers.StartFollowing(func(try int) (servers.Process, error) {
			starts++
			assert.Equal(t, starts, try, name)
			if !c.fails && starts > c.follows {
				return nil, nil
			}
			return nil, ended
		}, func(error) bool { return starts <= c.follows })
		assert.Equal(t, []any{c.starts, c.fails}, []any{starts, err != nil}, name)
	}
}
