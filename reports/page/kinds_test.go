package page

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/result"
)

// TestFilterOfAKind: findings of no copy have no state that a filter could show.
func TestFilterOfAKind(t *testing.T) {
	list := result.Finding{Step: 9, Stage: "new", Outcome: "undecodable"}
	copied := list
	copied.Copy = "x"
	assert.Equal(t, "#step-9", string(drawKinds([]result.Finding{list, list}).Kinds[0].Filter))
	assert.Equal(t, "#?outcome=undecodable", string(drawKinds([]result.Finding{copied, copied}).Kinds[0].Filter))
}
