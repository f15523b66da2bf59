package chain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

const (
	// keptPerForm is how many touched copies of each object and form a leg hands
	// on: one could be the odd one out.
	keptPerForm = 2
	// untouchedPerForm is the same for untouched copies, which later legs take over
	// all; those of the way back would meet no release twice, and are not handed on.
	untouchedPerForm = 1
	// keptOnce is the same for objects that no later leg makes: those are all taken
	// over, by every later leg.
	keptOnce = 1
	// takenOver is how many other touched copies a leg takes over, so that the last
	// leg costs not much more than the first.
	takenOver = 4
)

// Plan is what a chain is to play.
type Plan struct {
	Scenario, About string
	// Releases are the references, oldest first: two at least.
	Releases []string
	// Options are what the servers of each release are started with, where the chain
	// says so itself; nil: it does not.
	Options []scenarios.Options
	// Forward ends the chain at the newest release: there is no way back.
	Forward bool
	// Rewrite has every leg on the way back end with a rewrite of all that is stored,
	// through the release that it has rolled back to: still older ones may not know
	// what newer ones have stored.
	Rewrite bool
	// Seed picks the copies that legs take over, and what befalls them.
	Seed int64
	// Expect are the scenario's expectations. Each must be met by a finding of
	// some leg where Whole is set: where the chain is the one that they are for.
	Expect []scenarios.Expectation
	Whole  bool
	// Once are the objects that one leg alone makes: the first that has a release for
	// them.
	Once []string
	// Salt makes the fingerprints of the values of Secrets. It is as confidential as they are,
	// and only the legs' histories contain it.
	Salt string
}

// Hop is one leg before it is played.
type Hop struct {
	Number int // from 1
	Pair   plan.Pair
	Back   bool
	// First and Last are the places in Plan.Releases of what every replica runs
	// when the leg begins, and when it ends.
	First, Last int
	// Options are what the old and the new end's servers are started with; nil: what
	// the scenario says of its ends.
	Options []scenarios.Options
}

// Name is the hop's, for directories and reports: 07-1.6..1.7 is the seventh leg,
// 55-1.6..1.7-back the one that leads the same way back.
func (h Hop) Name() string {
	short := func(reference string) string {
		_, version, named := strings.Cut(reference, "@")
		if !named {
			version = reference[strings.LastIndexAny(reference, "/:")+1:]
		}
		return version
	}
	name := fmt.Sprintf("%02d-%s..%s", h.Number, short(h.Pair.Old), short(h.Pair.New))
	if h.Back {
		name += "-back"
	}
	return name
}

// Hops are the legs of the plan in their order: forward over every pair of
// neighbours, then back.
func (p Plan) Hops() []Hop {
	var all []Hop
	for i := 0; i+1 < len(p.Releases); i++ {
		all = append(all, p.hop(Hop{Number: len(all) + 1, First: i, Last: i + 1}))
	}
	for i := len(p.Releases) - 2; i >= 0 && !p.Forward; i-- {
		all = append(all, p.hop(Hop{Number: len(all) + 1, Back: true, First: i + 1, Last: i}))
	}
	return all
}

// hop fills in a hop's ends.
func (p Plan) hop(h Hop) Hop {
	old, new := min(h.First, h.Last), max(h.First, h.Last)
	h.Pair = plan.Pair{Old: p.Releases[old], New: p.Releases[new]}
	if p.Options != nil {
		h.Options = []scenarios.Options{p.Options[old], p.Options[new]}
	}
	return h
}

// Leg is a leg that was played and judged.
type Leg struct {
	Hop
	History *history.History
	Schemas map[term.Role]*schema.Schema
	Result  result.Result
	Ledger  result.Ledger
	Seconds float64
}

// Unjudged takes in a leg that left nothing to judge, and why. Made is how many
// objects it may have left in the store, which no later leg takes over. What it did
// to others nobody knows, so that nothing is compared across it.
func (c *Chain) Unjudged(h Hop, made int, why error) {
	c.made += made
	for _, s := range c.pool {
		s.doubted = true
	}
	c.observations.forget()
	c.legs = append(c.legs, LegResult{
		Number: h.Number, Directory: h.Name(), Rollout: h.Rollout(), Old: h.Pair.Old, New: h.Pair.New,
		Verdict: term.Unknown, Reason: why.Error(),
	})
}

// Rollout is the leg's only roll-out.
func (h Hop) Rollout() term.Rollout {
	if h.Back {
		return term.Rollback
	}
	return term.Upgrade
}

// Chain is a chain while its legs come in.
type Chain struct {
	plan  Plan
	legs  []LegResult
	met   []int // how many findings met each expectation
	aside []int // how many legs each expectation is not for
	found []Finding
	// pool are the copies that may be taken over, in the order in which they were
	// made; made is how many objects the legs have left in all.
	pool         []*specimen
	made         int
	observations observations
	unseen       []string // which copies could not be held against an earlier leg, in words
}

// specimen is a copy that has left the leg that made it.
type specimen struct {
	copy plan.Copy
	// values are what clients hold acknowledged, by path, in the form in which
	// equal values are equal; "" where nothing showed the value at the leg's end.
	values map[string]string
	// unseen are those of them that the leg's last release should have shown at its
	// end, and that no LIST did.
	unseen map[string]bool
	leg    int // that had it last
	// doubted tells that a leg since then may have changed it, and left no word of it.
	doubted bool
}

// New begins a chain.
func New(p Plan) *Chain {
	return &Chain{plan: p, met: make([]int, len(p.Expect)), aside: make([]int, len(p.Expect)), observations: newObservations(p.Salt)}
}

// Next is what the leg takes over of the legs that came in so far.
func (c *Chain) Next(h Hop) plan.Hop {
	taken := c.pick(h.Number)
	next := plan.Hop{Number: h.Number, Back: h.Back, Rewrite: h.Back && c.plan.Rewrite, Left: c.made - len(taken)}
	for _, s := range taken {
		next.Carried = append(next.Carried, plan.Carried{Copy: s.copy, Values: sortedKeys(s.values)})
	}
	for _, object := range c.plan.Once {
		if slices.ContainsFunc(c.pool, func(s *specimen) bool { return s.copy.Object == object }) {
			next.Made = append(next.Made, object)
		}
	}
	return next
}

// pick takes every untouched copy, every one of an object that no later leg makes,
// and some of the other touched ones.
func (c *Chain) pick(leg int) []*specimen {
	always := func(s *specimen) bool {
		return !touched(s) || slices.Contains(c.plan.Once, s.copy.Object)
	}
	var drawn []int
	for i, s := range c.pool {
		if !always(s) {
			drawn = append(drawn, i)
		}
	}
	random := rand.New(rand.NewPCG(uint64(c.plan.Seed), uint64(leg)))
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	drawn = drawn[:min(len(drawn), takenOver)]
	var all []*specimen
	for i, s := range c.pool {
		if always(s) || slices.Contains(drawn, i) {
			all = append(all, s)
		}
	}
	return all
}

// Add takes in a leg that was played, in the order of their numbers.
func (c *Chain) Add(leg Leg) {
	c.legs = append(c.legs, resultOf(leg))
	for _, f := range leg.Result.Findings {
		if f.Expectation > 0 && f.Expectation <= len(c.met) {
			c.met[f.Expectation-1]++
		}
	}
	for _, e := range leg.History.Header.Plan.Elsewhere {
		if e.Place > 0 && e.Place <= len(c.aside) {
			c.aside[e.Place-1]++
		}
	}
	seen := c.observations.add(leg)
	c.found = append(c.found, seen...)
	c.found = append(c.found, c.heldUp(leg)...)
	c.handOn(leg)
}

// handOn notes what the leg leaves for later ones: a few copies of each object and
// form.
func (c *Chain) handOn(leg Leg) {
	p := leg.History.Header.Plan
	ends := endsOf(leg)
	var fresh []plan.Copy
	for _, copy := range p.Copies {
		switch {
		case !ends.exists[copy.Name]:
		case copy.Leg > 0:
			c.update(copy.Name, leg, ends)
		default:
			c.made++
			fresh = append(fresh, copy)
		}
	}
	for _, copy := range c.keep(leg.Number, fresh, ends) {
		copy.Leg = leg.Number
		c.pool = append(c.pool, &specimen{copy: copy})
		c.update(copy.Name, leg, ends)
	}
}

// update records how a leg left a copy. A leg that did not complete, and so saw only half, adds
// nothing about the copies that it took over; but it may have changed those that lines touch.
func (c *Chain) update(name string, leg Leg, ends ends) {
	whole := leg.History.Complete()
	for _, s := range c.pool {
		switch {
		case s.copy.Name != name:
		case whole || s.leg == 0:
			s.values, s.unseen = ends.values(leg, s.copy, c.plan.Salt)
			s.leg, s.doubted = leg.Number, !whole && touched(s)
		case touched(s):
			s.doubted = true
		}
	}
}

func touched(s *specimen) bool { return s.copy.Role != term.Untouched }

// perForm is how many copies like this one a leg hands on.
func (c *Chain) perForm(copy plan.Copy, leg int) int {
	switch {
	case copy.Role != term.Untouched && slices.Contains(c.plan.Once, copy.Object):
		return keptOnce
	case copy.Role != term.Untouched:
		return keptPerForm
	case leg < len(c.plan.Releases):
		return untouchedPerForm
	}
	return 0
}

// keep picks, of the copies that a leg made, those that later ones may take over:
// those first that have most of what clients gave them still.
func (c *Chain) keep(leg int, fresh []plan.Copy, ends ends) []plan.Copy {
	random := rand.New(rand.NewPCG(uint64(c.plan.Seed), uint64(leg)<<32))
	order := random.Perm(len(fresh))
	slices.SortStableFunc(order, func(a, b int) int { return len(ends.fields[fresh[b].Name]) - len(ends.fields[fresh[a].Name]) })
	kept, forms := map[int]bool{}, map[string]int{}
	for _, i := range order {
		form := fmt.Sprint(fresh[i].Object, " ", fresh[i].Role)
		switch {
		case fresh[i].Role == term.Control:
		case forms[form] < c.perForm(fresh[i], leg):
			kept[i] = true
			forms[form]++
		}
	}
	var all []plan.Copy
	for i, copy := range fresh {
		if kept[i] {
			all = append(all, copy)
		}
	}
	return all
}
