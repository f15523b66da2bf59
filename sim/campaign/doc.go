// Package campaign executes many runs.
//
// It turns cells, each a run, into how each ended: runs of equal pairs share servers, so
// many at once as cores and memory allow, each as soon as its builds are there; what the
// infrastructure ended is executed again, and what did not pass in a shared run once more
// alone, which counts. A matrix is a campaign whose cells are scenarios by pairs, whose state
// is in matrix.json while it goes on, and that is resumed where it was ended.
//
//	r := &campaign.Runner{Engine: e, Retries: 2, Show: show}
//	for _, g := range campaign.Share(cells, false) {
//		r.Play(ctx, g, func(e campaign.Ended) { ... }) // e.Outcome
//	}
//
// The package never executes a run itself (package engine does), never decides an exit code,
// and never prints: a Board is told what happens.
package campaign
