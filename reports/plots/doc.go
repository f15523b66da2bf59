// Package plots turns a run into figures: an SVG in two widths, the same numbers as a
// table, and one sentence with what they show.
//
// It counts states and times that the run has. It judges no value, and its colours are
// classes that the page's style fills in.
package plots
