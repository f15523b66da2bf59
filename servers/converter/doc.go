// Package converter generates the conversion webhook of an operator from the operator's own Go
// module.
//
// It turns the source of a module into the packages whose types implement Hub and Convertible of
// controller-runtime's package conversion, and those into a recipe for a program that serves them
// with the module's own controller-runtime. The program is built in a copy of the module, with
// its go.mod, so that internal packages can be imported. It needs no cluster, and runs nothing of
// the operator but its conversions. Conversions that need to be set up first, and those that are
// HubSpokeConverter variables or Knative's, are not found.
//
//	found, err := converter.Find(dir)
//	recipe, err := converter.Recipe(ref, dir, found)
package converter
