package campaign

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"unicode"

	"github.com/skewsim/skewsim/sim/engine"
)

// Message returns what is said of the error that ended a run, or a command; "": nothing. A
// verdict, and an interruption, are reported elsewhere.
func Message(err error) string {
	if err == nil || err.Error() == "" || errors.Is(err, context.Canceled) {
		return ""
	}
	text := err.Error()
	var over engine.TimeoutError
	if errors.As(err, &over) {
		text = over.Error()
	}
	return "skewsim: " + strings.TrimPrefix(strings.TrimPrefix(text, "skewsim: "), "skewsim ")
}

// FirstLine returns the first line of what is said of an error, without what could move a
// terminal's cursor. What follows may be a server's log. Go begins what its compiler says
// with the package, in a line of its own: the next is joined to that.
func FirstLine(err error) string {
	line, rest, _ := strings.Cut(WithoutControls(Message(err)), "\n")
	for heading := regexp.MustCompile(`(^|\s)# \S+( \[\S+\])?$`); rest != "" && heading.MatchString(line); {
		var next string
		next, rest, _ = strings.Cut(rest, "\n")
		line = heading.ReplaceAllString(line, "$1") + next
	}
	return strings.TrimPrefix(line, "skewsim: ")
}

// WithoutControls returns a text without what could move a terminal's cursor, in its lines.
func WithoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, text)
}
