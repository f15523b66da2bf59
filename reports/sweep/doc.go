// Package sweep writes a sweep in every report format: a page, JSON, CSV, Markdown, JUnit and
// the summary on a terminal.
//
// It turns a [sweep.Result] into text, and nothing else: it judges no row, reads no file and
// starts no server. All formats name an outcome, a place and a gate with the same words, which
// are in words.go. What an object holds and what a server says is untrusted: the
// renderers of package document escape it, and the page and the CSV do so themselves.
//
//	for _, file := range sweep.Files() {
//		err := file.Write(w, result, sweep.Options{FailOn: sweep.Gate{Level: term.Frozen.Effect()}})
//	}
package sweep
