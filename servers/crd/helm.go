package crd

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// helm removes the problems that a file has since before, and notes the file, if they come of the
// file being a Helm template: nothing of it can be read until it is rendered.
func (r *reader) helm(file string, data []byte, before int) {
	if slices.ContainsFunc(r.problems[before:], func(err error) bool { return strict.IsOfTemplate(err, data) }) {
		r.problems = r.problems[:before]
		r.templates = append(r.templates, file)
	}
}

// templated adds one problem for all templates of a folder: a chart has many.
func (r *reader) templated() {
	if len(r.templates) == 0 {
		return
	}
	more := ""
	if n := len(r.templates) - 1; n > 0 {
		more = fmt.Sprintf(" (files of this folder that do too: %d)", n)
	}
	r.add(r.templates[0], 0, "", "%s%s", strict.HelmTemplate, more)
}
