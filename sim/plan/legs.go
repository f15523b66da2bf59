package plan

import (
	"fmt"
	"math/rand/v2"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Hop is what makes a plan a leg of a chain.
type Hop struct {
	Number int // of the leg, from 1
	// Back has the leg begin with every replica at the new release, and roll back.
	Back bool
	// Left is how many objects of earlier legs are in the store beside Carried.
	Left int
	// Rewrite has every stored object written again, as it is, when the leg's
	// roll-out is done, as a storage version migrator does: then all of it is stored
	// as the release that runs stores it.
	Rewrite bool
	// Carried are the copies of earlier legs that this one takes over.
	Carried []Carried
	// Made are the objects that earlier legs have made for all: Object.Since says of
	// each which leg was the first that could.
	Made []string
}

// Carried is a copy that an earlier leg has made, and that is still stored.
type Carried struct {
	Copy Copy
	// Values are the paths of what clients hold acknowledged of it: all that
	// they once sent and have not withdrawn or lost since.
	Values []string
}

// BuildLeg decides everything that one leg of a chain will do: the scenario
// between the two releases, one way, with the copies that it takes over. Each
// of those is adopted before anything else happens, and then, but for untouched
// ones, meets one operation of the scenario's own, which the seed picks. Equal
// arguments give equal plans.
func BuildLeg(s *scenarios.Scenario, pair Pair, seed int64, hop Hop) (*Plan, error) {
	p := newPlan(s, pair, seed)
	p.Leg = &Leg{Number: hop.Number, Left: hop.Left, Rewrites: hop.Rewrite}
	p.Journey = []term.Rollout{term.Upgrade}
	if hop.Back {
		p.Journey = []term.Rollout{term.Rollback}
	}
	return build(s, p, pair, hop)
}

// stem is what the names of an object's copies begin with. Each leg has names of
// its own.
func (b *builder) stem(object string, role term.CopyRole) string {
	if b.plan.Leg == nil {
		return fmt.Sprintf("%s-%s", object, role)
	}
	return fmt.Sprintf("%s-l%02d-%s", object, b.plan.Leg.Number, role)
}

// takeOver plans the copies of earlier legs: before the leg's own, since they
// are older.
func (b *builder) takeOver() {
	random := rand.New(rand.NewPCG(uint64(b.plan.Seed), uint64(b.hop.Number)))
	met := map[string]int{} // by object: the copies that have met a call
	for i, c := range b.hop.Carried {
		b.adopt(c, i)
		if c.Copy.Role == term.Untouched {
			continue
		}
		if cells := b.fit(c.Copy.Object); len(cells) > 0 {
			picked := cells[random.IntN(len(cells))]
			if b.plan.Emulates() { // each call through both releases, as far as copies suffice
				picked = cells[met[c.Copy.Object]%len(cells)]
			}
			met[c.Copy.Object]++
			step := picked.step
			step.Copy = c.Copy.Name
			b.operations[picked.stage] = append(b.operations[picked.stage], step)
		}
	}
}

// adopt adds the copy, and the step that reads it first, through each replica in
// turn.
func (b *builder) adopt(c Carried, turn int) {
	form := term.Bystander
	if c.Copy.Manifest == b.scenario.Objects[c.Copy.Object].Treated {
		form = term.Treated
	}
	b.manifest(c.Copy.Object, form)
	b.plan.Copies = append(b.plan.Copies, c.Copy)
	first := b.plan.Stages[0].Replicas
	via := first[turn%len(first)]
	b.creates[0] = append(b.creates[0], Step{
		Action: Operate, Birth: true, Verb: term.Get, Client: term.Dynamic, Via: via.Replica, ViaRole: via.Role,
		Object: c.Copy.Object, Copy: c.Copy.Name, Adopts: c.Values,
	})
}

// rewrite returns the steps that write everything stored again: each copy by itself, so that
// its result is recorded, then the objects that the leg has not taken over.
func (b *builder) rewrite(last bool) []Step {
	if !last || b.plan.Leg == nil || !b.plan.Leg.Rewrites {
		return nil
	}
	var all []Step
	at := b.plan.Stages[len(b.plan.Stages)-1].Replicas
	for i, c := range b.plan.Copies {
		r := at[i%len(at)]
		all = append(all, Step{
			Action: Operate, Verb: term.UnchangedPut, Client: term.Dynamic, Change: &Change{Kind: Nothing},
			Read: r.Replica, ReadRole: r.Role, Via: r.Replica, ViaRole: r.Role, Object: c.Object, Copy: c.Name,
		})
	}
	if b.plan.Leg.Left > 0 {
		all = append(all, Step{Action: Rewrite, Replica: at[0].Replica, Role: at[0].Role})
	}
	return all
}

// fit are the calls of the scenario that can meet a copy with a past. What a
// line declares to be answered it declares for a fresh one; and a copy that is
// deleted has no way to go on.
func (ls lines) fit(object string) []cell {
	var all []cell
	for i, line := range ls.scenario.Play {
		_, of := line.VerbKey()
		if of != object || line.Create != "" || line.Delete != "" || line.List != "" || line.Respond != nil || line.Alone {
			continue
		}
		for _, c := range ls.cells(i, line) {
			if c.skip == nil {
				all = append(all, c)
			}
		}
	}
	return all
}
