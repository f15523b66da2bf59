package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
)

// TestOrders: invalid numbers are refused, and others replace the scenario's.
func TestOrders(t *testing.T) {
	count := func(n int) *int { return &n }
	for _, o := range []Orders{{Count: count(-1)}, {Count: count(scenarios.MaxOrders + 1)}, {Only: -1}, {Count: count(1), Only: 2}} {
		assert.Error(t, o.Check(), "%+v", o)
	}
	s := &scenarios.Scenario{Orders: 7}
	same := Orders{}.over(s)
	assert.Equal(t, 7, same.Orders)
	assert.NotSame(t, s, same)
	other := Orders{Count: count(0), Only: 3}.over(s)
	assert.Equal(t, []int{0, 3, 7}, []int{other.Orders, other.Order, s.Orders})
}
