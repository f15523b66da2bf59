package engine

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios"
)

// Orders say which orders of operations a run executes besides the scenario's lines. The
// zero value takes what the scenario says.
type Orders struct {
	// Count is how many copies more go through an order of operations that the seed draws
	// from the lines; nil: as many as the scenario says.
	Count *int
	// Only is the number of the one order that is executed, as findings name it; 0: all.
	Only int
}

// Check refuses numbers that no run can have.
func (o Orders) Check() error {
	switch {
	case o.Count != nil && (*o.Count > scenarios.MaxOrders || *o.Count < 0):
		return fmt.Errorf("--orders %d: not between 0 and %d", *o.Count, scenarios.MaxOrders)
	case o.Only < 0:
		return fmt.Errorf("--only %d: orders are numbered from 1", o.Only)
	case o.Count != nil && o.Only > *o.Count:
		return fmt.Errorf("--only %d: with --orders %d there is no such order: leave --orders out, or give it %d or more", o.Only, *o.Count, o.Only)
	}
	return nil
}

// Given reports whether the user says anything about orders.
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
