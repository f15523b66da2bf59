// Package allow reads the file in which a team accepts rows of a sweep and findings of a preflight.
//
// It turns a YAML file into a [List], and says of each [Subject] which line accepts it. A line has
// an owner and a last day: from the day after, what it accepted fails again, and the command reports
// the line. The package decides no verdict, and never accepts a row that got worse than its line
// says.
package allow
