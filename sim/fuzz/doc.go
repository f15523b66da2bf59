// Package fuzz turns a pair of releases and a seed into findings. Generated objects of the
// kinds that both releases serve travel through both (package roundtrip), once with the
// pair's features off and once with them on. Equal facts become one finding, with the
// smallest object that shows it. The same seed generates the same objects in whichever
// order they are sent. The package performs no roll-out, and knows no kind by name.
package fuzz
