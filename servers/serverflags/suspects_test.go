package serverflags

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

// TestSuspects: what the log names is tried first, each element and each flag alone, and all flags at the end;
// what is refused already is not tried.
func TestSuspects(t *testing.T) {
	o := servers.Options{FeatureGates: map[string]bool{"A": true, "B": true}, ServiceIPRange: "10.0.0.0/8", Flags: []string{"--event-ttl=1h"}}
	all := Suspects(o, []Refusal{{Flag: featureGates, Element: "B"}}, []string{"x", "--event-ttl: too short"})
	assert.Equal(t, [][]Refusal{
		{{Flag: "event-ttl"}}, {{Flag: featureGates, Element: "A"}}, {{Flag: featureGates}}, {{Flag: serviceRangeFlag}},
		{{Flag: featureGates}, {Flag: serviceRangeFlag}, {Flag: "event-ttl"}},
	}, all)
	assert.Empty(t, Suspects(servers.Options{}, nil, nil))
}

// TestEnds: the message has the line of the log about the flag, without what the command puts before it.
func TestEnds(t *testing.T) {
	b := servers.Build{Component: "kube-apiserver", Version: "v1"}
	tail := []string{"Error: --event-ttl: too short", "goroutine 1 [running]:"}
	assert.Equal(t, []Refusal{{Flag: "event-ttl", Message: "kube-apiserver v1 does not start with --event-ttl, and starts without: --event-ttl: too short"}},
		Ends(b, []Refusal{{Flag: "event-ttl"}}, tail))
	assert.Contains(t, Ends(b, []Refusal{{Flag: featureGates, Element: "A"}}, tail)[0].Message, "goroutine 1", "the last line, where none names the flag")
}
