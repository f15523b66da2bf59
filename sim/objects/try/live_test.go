package try

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestLiveWith: what a server ignored in an update of the status is not in the object, and what it took
// from another update is.
func TestLiveWith(t *testing.T) {
	part := func(v string) map[string]any { return map[string]any{"x": v} }
	l := live{sent: map[string]any{"metadata": part("a"), "spec": part("a")}, read: map[string]any{"spec": part("defaulted"), "status": part("")}}
	object := map[string]any{"metadata": part("b"), "spec": part("b"), "status": part("b"), "more": part("b")}
	assert.Equal(t, map[string]any{"metadata": part("a"), "spec": part("defaulted"), "status": part("b")}, l.with(object, term.StatusPart))
	assert.Equal(t, map[string]any{"metadata": part("a"), "spec": part("b"), "status": part("b"), "more": part("b")}, l.with(object, ""))
}
