package strict

import (
	"bytes"
	"errors"
	"regexp"
)

// helmSyntax matches an expression of a Helm template where YAML has no place for it: on a
// line of its own, or as an unquoted value. Descriptions have others, in their texts.
var helmSyntax = regexp.MustCompile(`(?m)^\s*(- )?\{\{|^[^#"'\n]*:\s+\{\{`)

// HelmTemplate is the problem of a file that nobody can read before Helm has rendered it.
const HelmTemplate = "contains Helm template expressions, {{ ... }}: render it first, with helm template"

// HasHelmSyntax reports whether a file has Helm expressions where YAML has no place for them.
// The file may be valid YAML nevertheless, such as one with a script in a block of text: only a
// file with problems is judged by it.
func HasHelmSyntax(data []byte) bool { return helmSyntax.Match(data) }

// IsOfTemplate reports whether a Problem results from a Helm expression: its line has one, or
// the file is not YAML because of one.
func IsOfTemplate(err error, data []byte) bool {
	var p Problem
	if !errors.As(err, &p) {
		return false
	}
	lines := bytes.Split(data, []byte("\n"))
	if p.Line > 0 && p.Line <= len(lines) && bytes.Contains(lines[p.Line-1], []byte("{{")) {
		return true
	}
	return p.Path == "" && HasHelmSyntax(data)
}
