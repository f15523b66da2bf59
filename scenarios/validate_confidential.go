package scenarios

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// confidential checks the marks. It comes before all that has paths: none of
// them may show what is marked.
func (v *validator) confidential() {
	if v.tooMany("confidential", len(v.s.Confidential)) {
		return
	}
	for i, c := range v.s.Confidential {
		at := element("confidential", i)
		if v.given(at + ".object") {
			v.object(at+".object", c.Object)
		}
		for j, text := range c.Path {
			c.Path[j] = v.mark(element(at+".path", j), text)
		}
	}
	for i, c := range v.s.Confidential { // the marks are all known by now
		for j, text := range c.Path {
			v.shown(element(element("confidential", i)+".path", j), text)
		}
	}
}

// mark checks one marked path. By some values skewsim itself knows an object,
// and addresses it.
func (v *validator) mark(at, text string) string {
	spelled := v.path(at, text)
	for _, needed := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}, {"metadata", "generateName"}} {
		if overlap(names(spelled), needed) {
			v.fail(at, "%s holds what objects are addressed by, in every URL: mark what lies beside it, such as .spec.token", spelled)
		}
	}
	if len(names(spelled)) > 0 {
		v.marks = append(v.marks, names(spelled))
	}
	return spelled
}

// marked tells whether a place lies at or below a marked path.
func (v *validator) marked(names []string) bool {
	return slices.ContainsFunc(v.marks, func(mark []string) bool { return begins(names, mark) })
}

// shown refuses a path that names an element of a list by a confidential value:
// plans and reports show paths.
func (v *validator) shown(at, text string) {
	p, err := path.Parse(text)
	if err != nil {
		return // told already
	}
	for i, e := range p {
		above := fieldNames(p[:i])
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

// selected refuses to select by a confidential value: it would stand in the URL.
func (v *validator) selected(at, field string) {
	if v.marked(names("." + field)) {
		v.fail(at, "%s is confidential, and what is selected by stands in the request's URL: select by another field", field)
	}
}

// idleMarks refuses marks that lead to nothing: a path with a slip of the pen
// would hide nothing.
func idleMarks(s *Scenario, p *problems) {
	for i, c := range s.Confidential {
		for j, text := range c.Path {
			at := element(element("confidential", i)+".path", j)
			if _, known := s.Objects[c.Object]; known && !p.reported(at) && !sends(s, c.Object, names(text)) {
				p.add(s.LineOf(at), at, "no object file and no line of play has anything at %s of %s", text, c.Object)
			}
		}
	}
}

// sends tells whether the scenario itself sends something at or below the place.
func sends(s *Scenario, object string, place []string) bool {
	o := s.Objects[object]
	for _, file := range []string{o.Treated, o.Bystander} {
		m, read := s.Manifests[file]
		if !read && file != "" || hasBelow(m.Body, place) {
			return true // a file that cannot be read is told of elsewhere
		}
	}
	for _, values := range o.Mutations {
		if writesAt(values, place) {
			return true
		}
	}
	return slices.ContainsFunc(s.Play, func(l Line) bool { return l.sends(object, place) })
}

// sends tells the same of a line, and of those that follow it. What a patch does
// hangs on the object, so it may do anything.
func (l Line) sends(object string, place []string) bool {
	_, of := l.VerbKey()
	if of == object && (l.Patch != "" || writesAt(l.Fields, place)) {
		return true
	}
	return slices.ContainsFunc(l.Then, func(next Line) bool { return next.sends(object, place) })
}

// writesAt tells whether one of the values lies around, at or below the place.
func writesAt(values map[string]any, place []string) bool {
	for text := range values {
		if overlap(names(text), place) {
			return true
		}
	}
	return false
}

// hasBelow tells whether a value holds something at the place, in any element of
// the lists on the way.
func hasBelow(value any, place []string) bool {
	switch v := value.(type) {
	case map[string]any:
		if len(place) == 0 {
			return true
		}
		below, has := v[place[0]]
		return has && hasBelow(below, place[1:])
	case []any:
		return len(place) == 0 || slices.ContainsFunc(v, func(item any) bool { return hasBelow(item, place) })
	}
	return len(place) == 0
}
