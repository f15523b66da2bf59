// Package rundir is the directory that a run leaves: who owns it, what is in it, and what
// the oracle says about it.
//
// It turns a directory into a Judgement, or the directory of a chain into a verdict, as
// often as one likes, and without a server, a cache or the network. Open makes one for a new
// run, which others may not write to until it is closed. The package never executes a run,
// and never draws a report: the caller writes what it makes of a judgement with WriteFile.
package rundir
