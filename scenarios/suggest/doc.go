// Package suggest turns a mistyped word and the known words into the word that the user
// probably meant. It never guesses between several that are equally near.
package suggest
