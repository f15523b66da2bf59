// Package startup turns what a plan says about a release into the options of its servers,
// starts one alone to find out whether it accepts them, and turns the exit of one that does
// not into an error that names the line to correct.
package startup
