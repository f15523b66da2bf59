// Package bodies edits the objects that a sweep plays: the names that they have in a run, and other
// values of their fields.
package bodies
