// Package startup turns what a plan says of a release into the options of its servers,
// starts one alone to find out whether it takes them, and turns the end of a server that
// does not into an error that names the line to correct.
package startup
