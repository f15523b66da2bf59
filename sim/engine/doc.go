// Package engine executes one run, or one chain of runs, in one directory.
//
// It turns a [Request] into a [Run] and a Run into an Outcome. [FindScenario] reads a scenario and checks it
// against the servers that it names; [Prepare] chooses the releases, merges the options of the user over the
// scenario's, plans the run, and reports every error that can be found before a build. Neither builds,
// starts or writes anything. An Engine then makes the builds, records the run in its directory, and judges it.
//
//	s, err := engine.FindScenario(ctx, builds, "add-field", "")
//	r, err := engine.Prepare(ctx, builds, engine.Request{Scenario: s, Timeout: time.Minute})
//	e := engine.New(engine.Config{Builds: builds})
//	o := e.Play(ctx, r, events) // o.Verdict, o.Err, o.Dir
//
// Runs of one engine share their builds, and PlayShared executes runs of equal pairs on one
// set of servers. The directory stays after the run: rundir.Judge judges it again without a
// server. When ctx ends, a run stops its servers, removes its keys, and is judged by what
// it saw. Errors name options (fault.Optionf), not flags: callers may set them in Go. The package never
// decides which runs to execute, in which order, or whether to repeat one after a failure: package campaign
// does. It never draws a report or prints: the caller's Events do.
package engine
