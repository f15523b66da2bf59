// Package allow reads the file in which a team accepts rows of a sweep, and marks those rows.
//
// It turns a YAML file into a [List], and a sweep's rows into the same rows with the owner who
// accepts them. A line has an owner and a last day: from the day after, its rows fail again, and
// the sweep reports the line. The package decides no verdict, and never accepts a row that got
// worse than its line says.
package allow
