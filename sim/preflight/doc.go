// Package preflight decides what an upgrade, and the rollback after it, do to the objects of a
// user's own store.
//
// It turns the readings of a store, taken by servers of both releases before, during and after the
// upgrade, into [Finding]s, and those into the [Result] that reports show. It starts no server, and
// a finding never holds a value of an object: names, paths, and what servers say without the
// values that they quote.
package preflight
