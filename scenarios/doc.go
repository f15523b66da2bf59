// Package scenarios turns a scenario's YAML and its object files into a
// Scenario: strictly, with every error at once, each with its line and the
// nearest known word.
//
// It also holds the catalogue, the scenarios that are built into the binary
// and that users copy. It never talks to a server and never decides what is
// done when: that is package plan's.
//
//	s, err := scenarios.Load("scenarios/kubernetes/emptydir-mode.yaml")
package scenarios
