// Package engine executes one run, or one chain of runs, in one directory.
//
// It turns a Request into an Outcome: Prepare decides what is run and reports every error
// that can be found before a build, and an Engine makes the builds, records the run in its
// directory, and judges it.
//
//	s, err := engine.Find(ctx, builds, "add-field")
//	r, err := engine.Prepare(ctx, builds, engine.Request{Scenario: s, Timeout: time.Minute})
//	e := engine.New(engine.Config{Builds: builds})
//	o := e.Play(ctx, r, events) // o.Verdict, o.Err, o.Dir
//
// Runs of one engine share their builds, and PlayShared executes runs of equal pairs on one
// set of servers. The directory stays after the run: rundir.Judge judges it again without a
// server. When ctx ends, a run stops its servers, removes its keys, and is judged by what
// it saw. The package never decides which runs to execute, in which order, or whether to
// repeat one after a failure: package campaign does. It never draws a report or prints: the
// caller's Events do.
package engine
