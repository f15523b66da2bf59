// Package engine executes one run, or one chain of runs, in one directory.
//
// It turns a run that package request has prepared into an Outcome: an Engine makes the
// builds, records the run in its directory, and judges it.
//
//	s, err := request.Find(ctx, builds, "add-field")
//	r, err := request.Prepare(ctx, builds, request.Request{Scenario: s, Timeout: time.Minute})
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
