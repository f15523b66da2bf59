// Package validate turns a decoded scenario and its objects into the list of everything that is
// wrong with them, each problem with its place in the file. It never reads from a file or a
// server: the pre-check of a run finds out whether a release accepts an object.
package validate
