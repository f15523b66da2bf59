// Package strict reads YAML that users write, and reports every mistake in it.
//
// It decodes a document into Go values by their json tags, finds lines and keys, and collects all
// problems at once, each with its line, its path and the nearest known word. It accepts only what
// YAML 1.1 and 1.2 readers agree on, and knows content that API servers refuse or read differently.
// It never reads a file, and never says what a value means.
package strict
