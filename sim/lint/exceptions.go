package lint

import (
	"errors"
	"fmt"
	"strings"
)

// Exceptions are the fields that need no lifecycle: patterns such as
// com.example.*.WidgetSpec.size, where * matches any text, and all other characters match
// themselves.
type Exceptions []string

// ParseExceptions reads a list: a field a line, and why it is there. Lines that are
// empty or begin with # are passed over. The error tells all wrong lines.
func ParseExceptions(file, text string) (Exceptions, error) {
	var all Exceptions
	var problems []error
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		field, reason := line, ""
		if end := strings.IndexAny(line, " \t"); end > 0 {
			field, reason = line[:end], strings.TrimSpace(line[end:])
		}
		switch {
		case strings.Trim(field, "*.") == "":
			problems = append(problems, fmt.Errorf("%s:%d: %s: excuses every field there is: name some", file, i+1, field))
		case reason == "":
			problems = append(problems, fmt.Errorf("%s:%d: %s: has no reason: say why after the field", file, i+1, field))
		}
		all = append(all, field)
	}
	return all, errors.Join(problems...)
}

// matches reports whether a pattern matches a field. Only * is special: a field's name may
// contain brackets, as findings do.
func matches(pattern, field string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == field
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(field) < len(first)+len(last) || !strings.HasPrefix(field, first) || !strings.HasSuffix(field, last) {
		return false
	}
	rest := field[len(first) : len(field)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return true
}

// excused reports whether a field is among the exceptions, and records which ones match it.
func (c *checker) excused(field string) bool {
	found := false
	for _, pattern := range c.exceptions {
		if matches(pattern, field) {
			c.used[pattern], found = true, true
		}
	}
	if found {
		c.report.Excused++
	}
	return found
}

// unused are the exceptions that excused nothing.
func (c *checker) unused() []string {
	all := []string{}
	for _, pattern := range c.exceptions {
		if !c.used[pattern] {
			all = append(all, pattern)
		}
	}
	return all
}
