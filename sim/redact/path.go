package redact

import "strings"

// pointerSegments splits an RFC 6901 pointer, as a JSON patch has it.
func pointerSegments(pointer string) []string {
	pointer = strings.TrimPrefix(pointer, "/")
	if pointer == "" {
		return nil
	}
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
	}
	return parts
}

// segments splits a path such as .metadata.annotations["a.b/c"].x into the
// names it is made of. A selector such as [name="v"] gives one segment.
func segments(path string) []string {
	var parts []string
	for path != "" {
		var part string
		if path[0] == '[' {
			part, path = bracket(path)
		} else {
			part, path = field(strings.TrimPrefix(path, "."))
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// field takes a plain name off the front of a path.
func field(path string) (name, rest string) {
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		return path, ""
	}
	return path[:end], path[end:]
}

// bracket takes a [...] off the front of a path; brackets within quotes do not
// count. Quotes around the whole content are removed.
func bracket(path string) (content, rest string) {
	quoted := false
	for i := 1; i < len(path); i++ {
		switch {
		case path[i] == '\\' && quoted:
			i++
		case path[i] == '"':
			quoted = !quoted
		case path[i] == ']' && !quoted:
			return strings.Trim(path[1:i], `"`), path[i+1:]
		}
	}
	return strings.Trim(path[1:], `"`), ""
}
