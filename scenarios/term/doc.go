// Package term is skewsim's vocabulary: the closed lists of words that appear
// in scenarios, plans, histories, results and reports.
//
// It turns each word into a Go constant and its one-line meaning, so that the
// YAML loader, the JSON Schemas, the "did you mean" of an error and the
// reports all draw on the same list. It holds no behaviour: what a verb does
// is package run's, what a cause means for a verdict is package oracle's.
package term
