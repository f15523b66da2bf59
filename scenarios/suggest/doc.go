// Package suggest finds the known word that is nearest to a mistyped one. It never guesses
// between several that are equally near.
package suggest
