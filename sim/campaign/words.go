package campaign

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
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
	return "skewsim: " + term.VisibleLines(shortened(strings.TrimPrefix(strings.TrimPrefix(text, "skewsim: "), "skewsim ")))
}

// maxMessage is how many bytes of an error are printed: more than any that a person reads, and less than
// a name in a hostile file may have.
const maxMessage = 16 << 10

func shortened(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return fmt.Sprintf("%s ... and %d more bytes", text[:maxMessage], len(text)-maxMessage)
}

// Flag returns an option as users of the command write it.
func Flag(option string) string { return "--" + option }

// FirstLine returns the first line of an error's text. The rest may be a server's log. The go command prints the
// package in a line of its own before a compiler's error, so that line is joined with the
// next one.
func FirstLine(err error) string {
	line, rest, _ := strings.Cut(Message(err), "\n")
	for heading := regexp.MustCompile(`(^|\s)# \S+( \[\S+\])?$`); rest != "" && heading.MatchString(line); {
		var next string
		next, rest, _ = strings.Cut(rest, "\n")
		line = heading.ReplaceAllString(line, "$1") + next
	}
	return strings.TrimPrefix(line, "skewsim: ")
}
