// Package run fills the documents and test suites of a run, a chain and several merged runs: what the
// oracle decided becomes sections, tables and test cases, which the renderers of package document write
// for a terminal, as Markdown and as JUnit.
//
// It judges nothing, escapes nothing and reads no file. An unknown verdict is an error in JUnit, and
// never a pass.
//
//	err := run.Text(w, r, run.TextOptions{})
package run
