package crd

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
)

// helmSyntax matches an expression of a Helm template where YAML has no place for it: on a
// line of its own, or as a value that nobody quoted. Descriptions have others, in their texts.
var helmSyntax = regexp.MustCompile(`(?m)^\s*(- )?\{\{|^[^#"'\n]*:\s+\{\{`)

// helm puts one problem in the place of those that a file has since before, if they come of
// the file being a Helm template: nothing of it can be read until it is rendered.
func (r *reader) helm(file string, data []byte, before int) {
	if !slices.ContainsFunc(r.problems[before:], func(err error) bool { return ofTemplate(err, data) }) {
		return
	}
	r.problems = r.problems[:before]
	r.add(file, 0, "", "contains Helm template expressions, {{ ... }}: render it first, with helm template")
}

// ofTemplate reports whether a problem is of a line with an expression, or of a file that is no
// YAML for one.
func ofTemplate(err error, data []byte) bool {
	var p Problem
	if !errors.As(err, &p) {
		return false
	}
	lines := bytes.Split(data, []byte("\n"))
	if p.Line > 0 && p.Line <= len(lines) && bytes.Contains(lines[p.Line-1], []byte("{{")) {
		return true
	}
	return p.Path == "" && helmSyntax.Match(data)
}
