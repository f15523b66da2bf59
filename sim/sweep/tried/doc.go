// Package tried turns what dry runs show of a rule, or of a list type, into a verdict: where no journey
// plays it, dry runs alone decide.
package tried
