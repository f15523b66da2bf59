package engine

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers/fault"
)

// Orders select which generated orders of operations a run executes besides the scenario's
// lines. The zero value uses the scenario's.
type Orders struct {
	// Count is how many more copies go through an order of operations that the seed draws
	// from the lines; nil: the scenario's number.
	Count *int
	// Only is the number of the one order to execute, as findings name it; 0: all.
	Only int
}

// Check refuses numbers out of range.
func (o Orders) Check() error {
	switch {
	case o.Count != nil && (*o.Count > scenarios.MaxOrders || *o.Count < 0):
		return fault.Optionf("{orders} %d: not between 0 and %d", *o.Count, scenarios.MaxOrders)
	case o.Only < 0:
		return fault.Optionf("{only} %d: orders are numbered from 1", o.Only)
	case o.Count != nil && o.Only > *o.Count:
		return fault.Optionf("{only} %d: with {orders} %d there is no such order: leave {orders} out, or give it %d or more", o.Only, *o.Count, o.Only)
	}
	return nil
}

// Given reports whether the user sets any of the orders' options.
func (o Orders) Given() bool { return o.Count != nil || o.Only > 0 }

// over returns the scenario with those orders.
func (o Orders) over(s *scenarios.Scenario) *scenarios.Scenario {
	played := *s
	played.Order = o.Only
	if o.Count != nil {
		played.Orders = *o.Count
	}
	return &played
}
