package campaign

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"unicode"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
)

// Message returns the text to print about the error that ended a run or a command; "" for
// verdicts and interruptions, which are printed elsewhere.
func Message(err error) string {
	if err == nil || err.Error() == "" || errors.Is(err, context.Canceled) {
		return ""
	}
	var over engine.TimeoutError
	if errors.As(err, &over) {
		err = over
	}
	text := fault.Text(err, Flag)
	return "skewsim: " + strings.TrimPrefix(strings.TrimPrefix(text, "skewsim: "), "skewsim ")
}

// Flag returns an option as users of the command write it.
func Flag(option string) string { return "--" + option }

// FirstLine returns the first line of an error's text, without control characters that
// could move a terminal's cursor. The rest may be a server's log. The go command prints the
// package in a line of its own before a compiler's error, so that line is joined with the
// next one.
func FirstLine(err error) string {
	line, rest, _ := strings.Cut(WithoutControls(Message(err)), "\n")
	for heading := regexp.MustCompile(`(^|\s)# \S+( \[\S+\])?$`); rest != "" && heading.MatchString(line); {
		var next string
		next, rest, _ = strings.Cut(rest, "\n")
		line = heading.ReplaceAllString(line, "$1") + next
	}
	return strings.TrimPrefix(line, "skewsim: ")
}

// WithoutControls returns a text without control characters that could move a terminal's
// cursor; line breaks stay.
func WithoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, text)
}
