// Package term is skewsim's vocabulary: the closed lists of words in scenarios, plans,
// histories, results and reports.
//
// It turns each word into a Go constant and its one-line meaning, so that the YAML loader, the
// JSON Schemas, the "did you mean" of an error and the reports all use the same list. It has no
// behaviour: package run implements verbs, package oracle decides what a cause means for a
// verdict.
package term
