// Package preflight writes a preflight in every report format: a page, JSON, Markdown, JUnit and
// the summary on a terminal.
//
// It turns a [preflight.Result] into text, and nothing else: it judges no object, reads no file
// and starts no server. Findings are grouped by their cause, and objects by what owns them, in
// causes.go; all formats use the words of words.go. Names of objects and messages of servers are
// untrusted: the renderers of package document escape them, and the page does so itself. [Share] writes the same
// files with fingerprints instead of names.
//
//	for _, file := range preflight.Files() {
//		err := file.Write(w, result, preflight.Options{})
//	}
package preflight
