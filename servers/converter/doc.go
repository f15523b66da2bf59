// Package converter generates the conversion webhook of an operator from the operator's own Go
// module.
//
// It turns the source of a module into its conversions, and those into a recipe for a program that
// serves them with the module's own libraries. Three kinds of conversions are found:
//
//   - types that implement Hub and Convertible of controller-runtime's package conversion,
//   - variables and functions with what NewHubSpokeConverter of controller-runtime returns,
//   - types that implement Convertible of Knative's package apis.
//
// The program is built in a copy of the module, with its go.mod, so that internal packages can be
// imported; folders outside of it that its go.mod has in place of modules are read where they are.
// A set-up, a Go file of the user, becomes part of it. The package only reads source: it compiles
// nothing, runs nothing of the operator, and needs no cluster. Conversions that are made inside other
// functions, such as one that takes a manager, are named and not called.
//
//	found, err := converter.Find(dir)
//	recipe, err := converter.Recipe(ref, dir, found, nil)
package converter
