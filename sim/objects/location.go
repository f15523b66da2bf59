package objects

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// Location is a place in an object, as servers write it when they refuse the object: names
// of members, and indices of elements.
type Location []string

// ParseLocation reads a field path such as a.b[0].c[some.key].
func ParseLocation(text string) Location {
	var l Location
	for text != "" {
		switch {
		case text[0] == '.':
			text = text[1:]
		case text[0] == '[':
			inner, rest, closed := strings.Cut(text[1:], "]")
			if !closed {
				return append(l, text)
			}
			l, text = append(l, inner), rest
		default:
			end := strings.IndexAny(text, ".[")
			if end < 0 {
				end = len(text)
			}
			l, text = append(l, text[:end]), text[end:]
		}
	}
	return l
}

// String returns the location as servers write it.
func (l Location) String() string {
	var text strings.Builder
	for _, token := range l {
		_, err := strconv.Atoi(token)
		switch {
		case err == nil || strings.ContainsAny(token, ".[]"):
			text.WriteString("[" + token + "]")
		case text.Len() > 0:
			text.WriteString("." + token)
		default:
			text.WriteString(token)
		}
	}
	return text.String()
}

// with returns the location one token deeper; it shares no memory with l.
func (l Location) with(token string) Location { return append(l[:len(l):len(l)], token) }

// Get returns the object's value at a location.
func Get(node any, l Location) (any, bool) {
	for _, token := range l {
		switch n := node.(type) {
		case map[string]any:
			child, found := n[token]
			if !found {
				return nil, false
			}
			node = child
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n) {
				return nil, false
			}
			node = n[i]
		default:
			return nil, false
		}
	}
	return node, true
}

// Known returns the longest prefix of a location at which the object has a value.
func Known(object map[string]any, l Location) Location {
	for n := len(l); n > 0; n-- {
		if _, found := Get(object, l[:n]); found {
			return l[:n]
		}
	}
	return nil
}

// Put sets the value at a location whose container exists.
func Put(object map[string]any, l Location, v any) {
	if len(l) == 0 {
		return
	}
	last := l[len(l)-1]
	container, _ := Get(object, l[:len(l)-1])
	switch n := container.(type) {
	case map[string]any:
		n[last] = v
	case []any:
		if i, err := strconv.Atoi(last); err == nil && i >= 0 && i < len(n) {
			n[i] = v
		}
	}
}

// Drop removes the value at a location; the following elements of a list move up.
func Drop(object map[string]any, l Location) bool {
	if _, found := Get(object, l); !found || len(l) == 0 {
		return false
	}
	last := l[len(l)-1]
	container, _ := Get(object, l[:len(l)-1])
	switch n := container.(type) {
	case map[string]any:
		delete(n, last)
	case []any:
		i, _ := strconv.Atoi(last) // the index exists
		rest := append(append([]any{}, n[:i]...), n[i+1:]...)
		Put(object, l[:len(l)-1], rest)
	}
	return true
}

// Copy returns a deep copy of an object.
func Copy(object map[string]any) map[string]any { return runtime.DeepCopyJSON(object) }

// Locations returns the places in an object below its own members, containers before their
// members. It leaves out the object's identity.
func Locations(object map[string]any) []Location {
	var all []Location
	var visit func(l Location, v any)
	visit = func(l Location, v any) {
		if len(l) > 1 {
			all = append(all, l)
		}
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				visit(l.with(name), v[name])
			}
		case []any:
			for i, element := range v {
				visit(l.with(strconv.Itoa(i)), element)
			}
		}
	}
	visit(nil, object)
	return slices.DeleteFunc(all, IsIdentity)
}

// IsIdentity reports whether a location is part of the object's identity.
func IsIdentity(l Location) bool {
	return len(l) == 2 && l[0] == "metadata" && (l[1] == "name" || l[1] == "namespace")
}

// CompareLocations orders locations; indices by number.
func CompareLocations(a, b Location) int {
	return slices.CompareFunc(a, b, func(x, y string) int {
		i, errI := strconv.Atoi(x)
		j, errJ := strconv.Atoi(y)
		if errI == nil && errJ == nil {
			return i - j
		}
		return strings.Compare(x, y)
	})
}
