package sweep

import (
	"strings"

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

// Within reports whether a field is another one, or within it.
func Within(field, outer string) bool {
	return field == outer || strings.HasPrefix(field, outer+".") || strings.HasPrefix(field, outer+"[")
}
