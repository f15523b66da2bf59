// Package catalogue lists the built-in scenarios and mutants.
//
// It turns the catalogue's files, the topics of the guide and the releases that are built
// into a [Scenario] and a [Mutant] each: the releases that it applies to, the pairs that can
// run it, and the scenarios that share its journey. It never runs a scenario, and prints
// nothing.
package catalogue
