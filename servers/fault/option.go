package fault

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// OptionError is an error whose text names options, such as out: whoever called knows
// whether the user wrote a flag or a field, and Text writes the names so.
type OptionError struct {
	format   string
	args     []any
	included error // nil: none
}

// Optionf is fmt.Errorf, with the names of options in braces: "{orders} %d: out of range".
// It includes at most one error.
func Optionf(format string, args ...any) error {
	return &OptionError{format, args, errors.Unwrap(fmt.Errorf(format, args...))}
}

// Error returns the text with the plain names.
func (e *OptionError) Error() string { return e.with(func(option string) string { return option }) }

// Unwrap returns the error that the text includes; nil: none.
func (e *OptionError) Unwrap() error { return e.included }

var inBraces = regexp.MustCompile(`\{[a-z-]+\}`)

func (e *OptionError) with(name func(option string) string) string {
	format := inBraces.ReplaceAllStringFunc(e.format, func(option string) string { return name(strings.Trim(option, "{}")) })
	return fmt.Errorf(format, e.args...).Error()
}

// Text returns the text of an error with the options as name writes them.
func Text(err error, name func(option string) string) string {
	text, seen := err.Error(), map[string]bool{}
	walk(err, func(err error) {
		e, ok := err.(*OptionError)
		if !ok || seen[e.Error()] {
			return
		}
		seen[e.Error()] = true
		text = strings.ReplaceAll(text, e.Error(), e.with(name))
	})
	return text
}
