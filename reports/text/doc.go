// Package text turns a run, a chain or several runs into the summary that a terminal shows:
// findings first, the verdict last. Colours repeat what words say, so that a pipe or a file
// loses nothing.
package text
