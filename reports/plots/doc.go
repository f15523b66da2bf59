// Package plots turns a run into figures: an SVG in two widths, the same numbers as a
// table, and a sentence that sums them up. It counts the run's states and times. It judges
// no value, and its colours are classes that the page's style defines.
package plots
