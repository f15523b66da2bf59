package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// matchOrder holds the finding about a copy with an order against expectations.
// How often an order meets what is expected nobody can say before, so that
// nothing is counted; and as many impacts may come as there are ways to write.
func matchOrder(expect []scenarios.Expectation, matching []int, f *result.Finding, began time.Time) {
	switch impact := f.Class == term.Impact; {
	case len(matching) > 0 && impact:
		f.Expected, f.Expectation = true, matching[0]+1
	case len(matching) > 0:
		holdTo(expect, matching[0], f, began)
	default:
		f.Expected = impact
	}
}

// tellOrders adds to each finding about a copy with an order the steps that led
// to it, and how to play that order alone.
func tellOrders(p plan.Plan, findings []result.Finding) {
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
		f.Message += fmt.Sprintf("; order %d, steps %s: to play it without the others: --seed %d --only %d",
			f.Order, strings.Join(numbers, ", "), p.Seed, f.Order)
	}
}

// orderNotes say what is judged otherwise on copies with an order.
func orderNotes(h *history.History) []string {
	orders, operations := ordersOf(h.Header.Plan)
	if orders == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d orders, %d steps: on their copies impacts are expected, and neither respond nor count is held", orders, operations)}
}

// ordersOf counts the orders of a plan, and what befalls their copies once they
// are born.
func ordersOf(p plan.Plan) (orders, operations int) {
	steps := p.StepsOf()
	for _, c := range p.Orders() {
		orders++
		operations += len(steps[c.Name]) - 1
	}
	return orders, operations
}

// appliedAnew are the paths for which an apply of a whole manifest sends another
// value than an earlier call of the same copy did. An apply says all that its
// manager wants, so that it means the other value, though its line names it not.
func (e *evidence) appliedAnew(l *life, act history.Operation, step plan.Step) []fieldpath.Path {
	if step.Verb != term.Apply && step.Verb != term.ClientSideApply {
		return nil
	}
	var all []fieldpath.Path
	sent := leavesIn(l.kind, plainly(l.manifest.Kind, e.history.Object(act.Exchange.Sent)))
	for _, n := range l.entries {
		if leaf, has := sent[n.name]; has && leaf.Semantic != n.leaf.Semantic {
			all = append(all, n.leaf.Path)
		}
	}
	return all
}

// sameBefore tells whether a copy with a past was, when a call met it, as the
// copy of the call that it is held against. What the call names, and the label
// that skewsim itself writes, make no difference.
func (e *evidence) sameBefore(l *life, number int, reference *life, before int) bool {
	return maps.Equal(e.stateBefore(l, number), e.stateBefore(reference, before))
}

// stateBefore are the values that a call met, in the form in which equal ones
// are equal.
func (e *evidence) stateBefore(l *life, number int) map[string]string {
	names := append(named(l.manifest.Kind, e.steps[number].step), fieldpath.MakePathOrDie("metadata", "labels", plan.TouchLabel))
	all := map[string]string{}
	for name, leaf := range e.leavesOf(l, e.shownBefore(l, number)) {
		own := slices.ContainsFunc(names, func(p fieldpath.Path) bool { return path.Contains(p, leaf.Path) })
		if !own && !void(leaf) && e.settled(l, leaf.Path) {
			all[e.neutralText(l, number, name)] = e.neutral(l, number, leaf)
		}
	}
	return all
}
