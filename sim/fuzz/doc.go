// Package fuzz turns a pair of releases and a seed into findings: generated objects of the
// kinds that both serve travel through both releases (package roundtrip), once with the
// pair's features off and once with them on, and facts that are alike become one finding,
// with the smallest object that shows it.
//
// The same seed gives the same objects in whichever order they are sent. The package plays
// no roll-out, and knows no kind by name.
package fuzz
