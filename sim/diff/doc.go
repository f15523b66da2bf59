// Package diff compares what two releases publish and permit.
//
// It turns two [published.Release] into a [Result]: a list of [Difference], each with its
// source, and a list of what could not be compared. It asks no server, reads no file, and
// judges nothing: whether a difference loses data only a sweep tells.
package diff
