// Package session finds out what the releases of a pair publish, and compares them.
//
// It turns a [Request], OLD..NEW, into a [diff.Result]: package published finds out what each
// release publishes, package diff compares. It refuses releases that are in the wrong order or
// of two components. It writes nothing.
package session
