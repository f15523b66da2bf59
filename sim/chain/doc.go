// Package chain tracks what each leg of a chain hands to the next one, and combines the
// verdicts of the legs into one.
//
// A chain plays several releases on one store: forward, one hop after the other,
// and back. This package says which copies a leg adopts, holds them against what
// the legs before saw of them, and compares what each release served on the way
// forward with what it serves on the way back. It is pure: it starts, reads and
// writes nothing, and never judges a leg again.
//
//	p := chain.Plan{Scenario: "train", Releases: []string{"frobber@1.0", "frobber@1.1"}}
//	c := chain.New(p)
//	for _, hop := range p.Hops() {
//		leg := play(hop, c.Next(hop)) // a plan, a run and a result of its own
//		c.Add(leg)
//	}
//	verdict := c.Verdict()
package chain
