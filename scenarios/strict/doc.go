// Package strict decodes a YAML document into Go values by their json tags, and reports
// every unknown field. It reports every mistake at once, each with its line, its path and
// the nearest known word, and accepts only what YAML 1.1 and 1.2 readers agree on. It never
// reads a file, and never says what a value means.
package strict
