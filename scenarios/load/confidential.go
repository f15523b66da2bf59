package load

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// confidential checks the marks. It runs before all checks of paths: no path may show a marked
// value.
func (v objectChecks) confidential() {
	if v.tooMany("confidential", len(v.s.Confidential)) {
		return
	}
	for i, c := range v.s.Confidential {
		at := strict.Element("confidential", i)
		if v.given(at + ".object") {
			v.object(at+".object", c.Object)
		}
		for j, text := range c.Path {
			c.Path[j] = v.mark(strict.Element(at+".path", j), text)
		}
	}
	for i, c := range v.s.Confidential { // the marks are complete from here on
		for j, text := range c.Path {
			v.shown(strict.Element(strict.Element("confidential", i)+".path", j), text)
		}
	}
}

// mark checks one marked path. It refuses values that skewsim itself addresses objects by.
func (v objectChecks) mark(at, text string) string {
	spelled := v.path(at, text)
	for _, needed := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}, {"metadata", "generateName"}} {
		if scenarios.Overlap(scenarios.FieldNamesIn(spelled), needed) {
			v.fail(at, "%s holds what objects are addressed by, in every URL: mark other fields, such as .spec.token", spelled)
		}
	}
	if len(scenarios.FieldNamesIn(spelled)) > 0 {
		v.marks = append(v.marks, scenarios.FieldNamesIn(spelled))
	}
	return spelled
}

// marked reports whether a place is equal to or below a marked path.
func (v objectChecks) marked(names []string) bool {
	return slices.ContainsFunc(v.marks, func(mark []string) bool { return scenarios.StartsWith(names, mark) })
}

// shown refuses a path that names an element of a list by a confidential value, because plans
// and reports show paths.
func (v objectChecks) shown(at, text string) {
	p, err := path.Parse(text)
	if err != nil {
		return // reported already
	}
	for i, e := range p {
		above := scenarios.FieldNames(p[:i])
		keyed := e.Key != nil && slices.ContainsFunc(keyNames(e), func(key string) bool { return v.marked(append(above, key)) })
		if keyed || e.Value != nil && v.marked(above) {
			v.fail(at, "%s names an element by a value that is confidential, and paths are shown: name the list, %s", text, path.String(p[:i]))
			return
		}
	}
}

func keyNames(e fieldpath.PathElement) []string {
	var all []string
	for _, f := range *e.Key {
		all = append(all, f.Name)
	}
	return all
}

// selected refuses a selector by a confidential value: the value would be in the URL.
func (v objectChecks) selected(at, field string) {
	if v.marked(scenarios.FieldNamesIn("." + field)) {
		v.fail(at, "%s is confidential, and the request's URL contains what is selected by: select by another field", field)
	}
}
