package redact

import (
	"strings"

	"github.com/go-openapi/jsonpointer"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/skewsim/skewsim/scenarios/path"
)

// pointerSegments splits an RFC 6901 pointer, as a JSON patch has it.
func pointerSegments(pointer string) []string {
	pointer = strings.TrimPrefix(pointer, "/")
	if pointer == "" {
		return nil
	}
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		parts[i] = jsonpointer.Unescape(part)
	}
	return parts
}

// names are the fields that a path leads through. Elements of lists have none.
func names(text string) []string {
	p, err := path.Parse(text)
	if err != nil {
		return loose(text)
	}
	var all []string
	for _, e := range p {
		if e.FieldName != nil {
			all = append(all, *e.FieldName)
		}
	}
	return all
}

// loose splits a path that is not in skewsim's syntax, such as those of servers,
// which quote no name.
func loose(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`.[]"`, r) })
}

// Path returns a path of an object of the kind with fingerprints in the place of
// the confidential values that it holds itself: [="x"] of a set, and
// [name="x"] of a list with keys. Without a salt a word takes their place. The
// path of nothing confidential, or of no form that is known, stays as it is.
func (p Policy) Path(kind, text, salt string) string {
	parsed, err := path.Parse(text)
	if err != nil || !p.Covers(kind) {
		return text
	}
	m := mask{policy: p, put: fingerprints(salt)}
	if salt == "" {
		m.put = withhold
	}
	var above []string
	masked := make(fieldpath.Path, len(parsed))
	for i, e := range parsed {
		if e.FieldName != nil {
			above = append(above, *e.FieldName)
		}
		masked[i] = m.element(kind, above, e)
	}
	return path.String(masked)
}

// element masks what one element of a path selects by.
func (m mask) element(kind string, above []string, e fieldpath.PathElement) fieldpath.PathElement {
	switch {
	case e.Value != nil:
		v := value.NewValueInterface(m.at(kind, above, (*e.Value).Unstructured()))
		return fieldpath.PathElement{Value: &v}
	case e.Key != nil:
		keys := make(value.FieldList, len(*e.Key))
		for i, f := range *e.Key {
			below := append(append([]string(nil), above...), f.Name)
			keys[i] = value.Field{Name: f.Name, Value: value.NewValueInterface(m.at(kind, below, f.Value.Unstructured()))}
		}
		return fieldpath.PathElement{Key: &keys}
	}
	return e
}
