// Package fuzz generates objects for a pair of releases, sends them through both, and
// reports the values that do not come back. Generated objects of the kinds that both
// releases serve travel through both (package roundtrip), once with the pair's features off
// and once with them on. Equal facts become one finding, with the smallest object that
// shows it. The same seed generates the same objects in whichever order they are sent. The
// package performs no roll-out, and knows no kind by name.
package fuzz
