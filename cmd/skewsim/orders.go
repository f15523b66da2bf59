package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios"
)

// orderFlags say which orders of operations are played besides the scenario's lines.
type orderFlags struct {
	orders, only int
	onlyGiven    bool
}

func (f *orderFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.orders, "orders", -1, "how many `copies` more go through an order of operations that the seed draws from the lines (default: what the scenario says)")
	flags.IntVar(&f.only, "only", 0, "of the orders, play the one with this `number` alone, as findings name it")
}

// check tells what is wrong with the flags.
func (f orderFlags) check() error {
	switch {
	case f.orders > scenarios.MaxOrders, f.orders < -1:
		return fmt.Errorf("--orders %d: not between 0 and %d", f.orders, scenarios.MaxOrders)
	case f.only < 0, f.only == 0 && f.onlyGiven:
		return fmt.Errorf("--only %d: orders are numbered from 1", f.only)
	case f.orders >= 0 && f.only > f.orders:
		return fmt.Errorf("--only %d: with --orders %d there is no such order: leave --orders out, or give it %d or more", f.only, f.orders, f.only)
	}
	return nil
}

// given tells whether the user has said anything about orders.
func (f orderFlags) given() bool { return f.orders >= 0 || f.only > 0 }

// of is the scenario with those orders.
func (f orderFlags) of(s *scenarios.Scenario) *scenarios.Scenario {
	played := *s
	played.Order = f.only
	if f.orders >= 0 {
		played.Orders = f.orders
	}
	return &played
}
