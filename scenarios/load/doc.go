// Package load turns the YAML file of a scenario and its object files into a validated
// Scenario, finds scenarios in the built-in catalogue, and describes the file's format as a
// JSON Schema. It never starts a server and never decides the order of steps.
//
//	s, err := load.File("scenarios/kubernetes/emptydir-mode.yaml")
package load
