package crd

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
)

// helm puts one problem in the place of those that a file has since before, if they come of
// the file being a Helm template: nothing of it can be read until it is rendered.
func (r *reader) helm(file string, data []byte, before int) {
	if !slices.ContainsFunc(r.problems[before:], func(err error) bool { return yamlnodes.IsOfTemplate(err, data) }) {
		return
	}
	r.problems = r.problems[:before]
	r.add(file, 0, "", "%s", yamlnodes.HelmTemplate)
}
