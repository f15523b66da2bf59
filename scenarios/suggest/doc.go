// Package suggest turns a mistyped word and the known ones into the word that was probably
// meant. It never guesses between several that are equally near.
package suggest
