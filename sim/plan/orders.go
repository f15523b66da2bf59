package plan

import (
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/skewsim/skewsim/scenarios"
)

// maxPicks is how many operations of an order a stage has at most.
const maxPicks = 3

// orders adds the scenario's orders. An order is a copy that meets one to
// maxPicks operations at each stage, one after the other, each picked among
// those that the lines could play there. What an order does depends on the
// scenario, the seed and its number alone, so that it is the same among few and
// among many, and by itself.
func (b *builder) orders() error {
	if b.scenario.Orders == 0 && b.scenario.Order == 0 {
		return nil
	}
	if at := b.scenario.ExpectsViolation(); at > 0 {
		return fmt.Errorf("%s:%d: orders are not drawn from a scenario that expects a violation: what is wrong in one call is wrong "+
			"in whatever comes after it, in other words than the line's; leave --orders out", b.plan.File, at)
	}
	d := b.deck()
	if len(d.lines) == 0 {
		return nil
	}
	for n := 1; n <= b.scenario.Orders && b.scenario.Order == 0; n++ {
		b.addOrder(d, n)
	}
	if b.scenario.Order > 0 {
		b.addOrder(d, b.scenario.Order)
	}
	return nil
}

// deck is what orders are drawn from.
type deck struct {
	births map[string][]origin // by object
	lines  []pile
}

// pile is what one line could play, whatever stages it names.
type pile struct {
	object  string
	deletes bool
	steps   map[int][]Step // by stage
}

// deck gathers what may befall a copy with a past. Lines that declare a refusal,
// and those that say that they stand alone, are about a fresh copy; a LIST is
// about none.
func (ls lines) deck() deck {
	d := deck{births: map[string][]origin{}}
	for i, line := range ls.scenario.Play {
		_, object := line.VerbKey()
		switch {
		case line.Alone || refusal(line.Respond) || line.List != "":
		case line.Create != "":
			for _, c := range ls.cells(i, line) {
				if c.skip == nil {
					c.step.Respond = nil
					d.births[object] = append(d.births[object], origin{c.stage, c.step})
				}
			}
		default:
			if p := ls.pile(i, line); len(p.steps) > 0 {
				d.lines = append(d.lines, p)
			}
		}
	}
	d.lines = keepLines(d)
	return d
}

// refusal reports whether a line declares an answer other than success.
func refusal(r *scenarios.Respond) bool { return r != nil && r.Code >= http.StatusBadRequest }

// pile is what a line could play at each stage that has the replicas for it.
func (ls lines) pile(index int, line scenarios.Line) pile {
	_, object := line.VerbKey()
	p := pile{object: object, deletes: line.Delete != "", steps: map[int][]Step{}}
	line.At = nil
	for _, c := range ls.cells(index, line) {
		if c.skip == nil {
			c.step.Respond = nil
			p.steps[c.stage] = append(p.steps[c.stage], c.step)
		}
	}
	return p
}

// keepLines returns the lines about objects that are created.
func keepLines(d deck) []pile {
	var kept []pile
	for _, p := range d.lines {
		if len(d.births[p.object]) > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// addOrder draws an order: first the object, by how many lines are about it,
// then its form and its birth, then what befalls it.
func (b *builder) addOrder(d deck, number int) {
	random := rand.New(rand.NewPCG(uint64(b.plan.Seed), uint64(number)))
	object := pick(random, d.lines).object
	form := pick(random, b.forms(object))
	birth := pick(random, d.births[object])
	c := Copy{Name: fmt.Sprintf("%s-%03d", b.stem(object, "order"), number), Object: object, Role: form, Order: number}
	b.bear(c, form, birth)
	for stage := birth.stage; stage < len(b.plan.Stages); stage++ {
		b.addPicks(random, d.about(object), c, stage)
	}
}

// about are the lines about an object.
func (d deck) about(object string) []pile {
	var all []pile
	for _, p := range d.lines {
		if p.object == object {
			all = append(all, p)
		}
	}
	return all
}

// addPicks draws what befalls a copy at a stage: a line, then one of its
// combinations, so that long lists do not crowd out short ones. A delete comes
// last of all, or not.
func (b *builder) addPicks(random *rand.Rand, lines []pile, c Copy, stage int) {
	picks := 1 + random.IntN(maxPicks)
	for round := range picks {
		last := stage == len(b.plan.Stages)-1 && round == picks-1
		var could []pile
		for _, p := range lines {
			if len(p.steps[stage]) > 0 && (last || !p.deletes) {
				could = append(could, p)
			}
		}
		if len(could) == 0 {
			return
		}
		step := pick(random, pick(random, could).steps[stage])
		step.Copy = c.Name
		if len(b.rounds[stage]) == round {
			b.rounds[stage] = append(b.rounds[stage], nil)
		}
		b.rounds[stage][round] = append(b.rounds[stage][round], step)
	}
}

func pick[T any](random *rand.Rand, all []T) T { return all[random.IntN(len(all))] }
