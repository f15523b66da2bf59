// Package load reads scenario files and their object files into validated Scenarios, finds
// scenarios in the built-in catalogue, and describes the file format as a JSON Schema.
//
// It reports each error with its place in the file. It never starts a server and never decides the order of
// steps: the pre-check of a run finds out whether a release accepts an object.
//
//	s, err := load.File("scenarios/kubernetes/emptydir-mode.yaml")
package load
