// Package validate checks a decoded scenario and its objects, and reports each error with
// its place in the file. It never reads from a file or a server: the pre-check of a run
// finds out whether a release accepts an object.
package validate
