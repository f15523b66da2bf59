package oracle

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// addOrders adds to each finding about a copy with an order the steps that led to it, and how to
// run that order alone.
func addOrders(p plan.Plan, findings []result.Finding) {
	steps := p.StepsOf()
	for i := range findings {
		f := &findings[i]
		if f.Order == 0 {
			continue
		}
		var numbers []string
		for _, number := range steps[f.Copy] {
			if number <= f.Step {
				numbers = append(numbers, fmt.Sprint(number))
			}
		}
		f.Message += fmt.Sprintf("; order %d, steps %s: to run it without the others: --seed %d --only %d",
			f.Order, strings.Join(numbers, ", "), p.Seed, f.Order)
	}
}

// orderNotes says which rules differ for copies with an order.
func orderNotes(h *history.History) []string {
	orders, operations := ordersOf(h.Header.Plan)
	if orders == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s, %s: on their copies impacts are expected, and respond and count are not checked", term.Numbered(orders, "order"), term.Numbered(operations, "step"))}
}

// ordersOf counts the orders of a plan, and the operations on their copies after their creation.
func ordersOf(p plan.Plan) (orders, operations int) {
	steps := p.StepsOf()
	for _, c := range p.Orders() {
		orders++
		operations += len(steps[c.Name]) - 1
	}
	return orders, operations
}
