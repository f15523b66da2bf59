// Package served compares two answers about one object.
//
// It turns two objects as servers show them into the paths that only one of them has, and those
// whose values differ. It does not say why, and asks no server.
package served
