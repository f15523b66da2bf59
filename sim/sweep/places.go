package sweep

import (
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Concerns reports whether a finding on a copy is about the value that its object is for: it
// is about the whole object, or about a value within or around that one; or bytes that the object
// was stored with are read as another field.
func Concerns(f result.Finding, value string) bool {
	if f.Path == "" || value == "" || f.Cause == term.BadEncoding {
		return true
	}
	return Overlap(f.Path, value) || takesCompany(f.Cause) && Overlap(ParentOf(value), f.Path)
}

// takesCompany reports whether a cause takes other values with the one that a server does not
// know: the whole list element, or the whole union.
func takesCompany(c term.Cause) bool { return c == term.ElementGone || c == term.UnionEmptied }

// Overlap reports whether one path is within the other.
func Overlap(a, b string) bool {
	x, errX := path.Parse(a)
	y, errY := path.Parse(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return path.Contains(x, y) || path.Contains(y, x)
}

// ParentOf returns the path of the struct or list that holds a value.
func ParentOf(text string) string {
	p, err := path.Parse(text)
	if err != nil || len(p) == 0 {
		return text
	}
	return path.String(p[:len(p)-1])
}

// FieldOf is a finding's path as differences spell fields: without the keys of lists.
func FieldOf(text string) string {
	p, err := path.Parse(text)
	if err != nil {
		return text
	}
	return path.Field(p)
}

// Within reports whether a field is another one, or within it. What differences spell [], any element of a list
// or entry of a map, is each of them: the entry of a map is a member in a finding's path.
func Within(field, outer string) bool {
	for outer != "" {
		own, inner := cutElement(field)
		other, rest := cutElement(outer)
		if own == "" || own != other && own != anyElement && other != anyElement {
			return false
		}
		field, outer = inner, rest
	}
	return true
}

// cutElement cuts the first element from the text of a path. It allocates nothing: each finding is compared with each
// difference of its kind.
func cutElement(text string) (first, rest string) {
	if text == "" {
		return "", ""
	}
	isQuoted := false
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case isQuoted && c == '\\':
			i++
		case text[0] == '[' && c == '"':
			isQuoted = !isQuoted
		case isQuoted:
		case text[0] == '[' && c == ']':
			return text[:i+1], text[i+1:]
		case text[0] != '[' && (c == '.' || c == '['):
			return text[:i], text[i:]
		}
	}
	return text, ""
}
