// Package engine executes one run, or one chain of runs, in one directory.
//
// It turns a Request into an Outcome: Prepare decides what is run and finds everything that
// is wrong with it before anything is built, and an Engine makes the builds, records the run
// in its directory, and judges it.
//
//	s, err := engine.Find(ctx, builds, "add-field")
//	r, err := engine.Prepare(ctx, builds, engine.Request{Scenario: s, Timeout: time.Minute})
//	e := engine.New(engine.Config{Builds: builds})
//	o := e.Play(ctx, r, events) // o.Verdict, o.Err, o.Dir
//
// Several runs that an engine executes have their builds in common, and PlayShared executes
// those of equal pairs on one set of servers. The directory stays when a run has ended:
// Judge judges it again without a server. When ctx ends, a run stops its servers, removes
// its keys, and is judged by what it saw.
//
// The package never decides which runs there are, in which order, or whether one is repeated
// after a failure: package campaign does. It never draws a report or prints: the caller's
// Events do.
package engine
