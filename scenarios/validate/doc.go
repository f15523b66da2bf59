// Package validate turns a decoded scenario and its objects into the list of everything that
// is wrong with them, each problem with its place in the file. It never reads a file or a
// server: whether a release accepts an object is for the pre-check of a run.
package validate
