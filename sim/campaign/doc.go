// Package campaign executes many runs: it shares servers and builds among them, runs them
// in parallel, and retries infrastructure failures.
//
// It turns cells, each a run, into outcomes. Runs of equal pairs share servers. As many
// runs as cores and memory allow are executed at once, each as soon as its builds are made.
// A run that an infrastructure failure ended is executed again. A run that did not pass in
// a shared run is executed once more alone, and that run counts. A matrix is a campaign
// whose cells are scenarios by pairs; matrix.json holds its state while it is executed, so
// that it can be resumed.
//
//	r := &campaign.Runner{Engine: e, Retries: 2, Show: show}
//	for _, g := range campaign.Share(cells, false) {
//		r.Play(ctx, g, func(e campaign.Ended) { ... }) // e.Outcome
//	}
//
// The package never executes a run itself (package engine does), never decides an exit
// code, and never prints: it reports progress to a Board.
package campaign
