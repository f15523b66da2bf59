// Package text writes the summary of a run, a chain or several runs for a terminal:
// findings first, the verdict last. Colours repeat what words say, so that a pipe or a file
// loses nothing.
package text
