// Package request decides what one run, or one chain of runs, consists of.
//
// It turns a Request into a Run: Find reads a scenario and checks it against the servers
// that it names, and Prepare chooses the releases, merges the options of the user over the
// scenario's, plans the run, and reports every error that can be found before a build. Once
// the builds are made, Run.Built plans the run again with their versions.
//
// The package asks a Checker about references. It builds, starts and writes nothing:
// package engine does. Its errors name options (fault.Optionf), not flags: callers may set
// them in Go.
package request
