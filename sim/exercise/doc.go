// Package exercise makes, for each difference between two releases, an object that a
// running server accepts and that holds the difference.
//
// It turns a [Target], a path of a kind with a value to hold, into a [Specimen]: it asks
// package generate for objects, sends them as dry runs to a server of the release that has
// the difference, and repairs what the server refuses. It stores nothing that the caller's
// scratch store does not forget, knows no kind by name, and judges nothing.
package exercise
