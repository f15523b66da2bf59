// Package screen shows the progress and the outcome of runs and builds, on a terminal or as
// lines of text.
//
// It turns the events of a run (package engine), of several runs and of a matrix (package
// campaign), and the progress of builds, into text: lines, a table that is drawn again in its
// place, a bar. A [Run] also writes the reports of the run that it shows. The package never
// decides what is executed, what a result means, or an exit code.
package screen
