// Package fuzz generates objects for a pair of releases, sends them through both, and
// reports the values that do not come back.
//
// Objects of the kinds that both releases serve travel through both, once with the pair's features off
// and once with them on: a [Traveller] creates an object in one version through one release, reads it in
// every version through both, writes it back there unchanged, and reads it again where it was created. An
// acknowledged value that does not come back is a [Fact]. Equal facts become one finding, with the smallest
// object that shows it. The same seed generates the same objects in whichever order they are sent. The
// package performs no roll-out, and knows no kind by name.
package fuzz
