// Package program implements the program of typed clients, which processes objects with the
// Go types and the client code of one release.
//
// It turns requests that come in frames on standard input into answers on
// standard output, by means of a release's Types: it decodes and encodes with
// that release's own Go types, computes patches from their tags, fills its apply
// configurations and reads from a live object what a manager has applied.
// Package typedclient is the other side, and describes the frames.
//
// It never reaches for network or disk, and defaults, converts and validates
// nothing.
//
// The package is also built in a module of its own, together with main.go,
// against client-go 0.31 and later. So it imports nothing of this repository,
// and what changed its signature since is called in ways that fit all of them.
package program
