package serverflags

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

// TestSuspects: what the log names is tried first, then each element and each flag; what is refused already is not
// tried.
func TestSuspects(t *testing.T) {
	o := servers.Options{FeatureGates: map[string]bool{"A": true, "B": true}, ServiceIPRange: "10.0.0.0/8", Flags: []string{"--event-ttl=1h"}}
	all := Suspects(o, []Refusal{{Flag: featureGates, Element: "B"}}, []string{"x", "--event-ttl: too short"})
	assert.Equal(t, []Refusal{{Flag: "event-ttl"}, {Flag: featureGates, Element: "A"}, {Flag: featureGates}, {Flag: serviceRangeFlag}}, all)
	assert.Empty(t, Suspects(servers.Options{}, nil, nil))
}

// TestEnded: the message has the line of the log about the flag, without what the command puts before it.
func TestEnded(t *testing.T) {
	b := servers.Build{Component: "kube-apiserver", Version: "v1"}
	tail := []string{"Error: --event-ttl: too short", "goroutine 1 [running]:"}
	assert.Equal(t, "kube-apiserver v1 does not start with --event-ttl: --event-ttl: too short", Refusal{Flag: "event-ttl"}.Ended(b, tail).Message)
	assert.Contains(t, Refusal{Flag: featureGates, Element: "A"}.Ended(b, tail).Message, "goroutine 1", "the last line, where none names the flag")
}
