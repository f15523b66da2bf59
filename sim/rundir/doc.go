// Package rundir manages the directory that a run leaves: who owns it, which files it has,
// and what the oracle says about it. It turns a directory into a Judgement, or the
// directory of a chain into a verdict, any number of times, and without a server, a cache
// or the network. Open creates one for a new run; others may not write to it until it is
// closed. The package never executes a run, and never draws a report: the caller writes
// reports with WriteFile.
package rundir
