package lint

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Exceptions are the fields that need no lifecycle: patterns such as
// com.example.*.WidgetSpec.size, where * stands for any text.
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
		field, reason, _ := strings.Cut(line, " ")
		_, err := path.Match(field, "")
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("%s:%d: %s: not a pattern: %w", file, i+1, field, err))
		case strings.TrimSpace(reason) == "":
			problems = append(problems, fmt.Errorf("%s:%d: %s: has no reason: say why after the field", file, i+1, field))
		}
		all = append(all, field)
	}
	return all, errors.Join(problems...)
}

// name tells whether a field is among them.
func (e Exceptions) name(field string) bool {
	return slices.ContainsFunc(e, func(pattern string) bool {
		matched, err := path.Match(pattern, field)
		return err == nil && matched
	})
}
