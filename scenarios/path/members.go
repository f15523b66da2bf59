package path

import "strings"

// Members are the parts of a field as API servers name it, which is not this package's
// own syntax: a.b[0].c[x.y] is a, b, 0, c and x.y.
func Members(field string) []string {
	var all []string
	for field != "" {
		if inner, found := strings.CutPrefix(field, "["); found {
			name, rest, _ := strings.Cut(inner, "]")
			all, field = append(all, name), strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexAny(field, ".[")
		if end < 0 {
			end = len(field)
		}
		all, field = append(all, field[:end]), strings.TrimPrefix(field[end:], ".")
	}
	return all
}
