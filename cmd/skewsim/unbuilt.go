package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
)

// tellUnbuilt gives up what could not be made by now, and gives all that is said of it.
// Where that is more than fits into the line of a run it is printed, this once.
func (a *app) tellUnbuilt(ctx context.Context) (texts []string) {
	if ctx.Err() != nil {
		return nil
	}
	for _, err := range a.builder().GiveUp() {
		text := withoutControls(lastWords(err))
		texts = append(texts, text)
		if strings.Contains(text, "\n") {
			fmt.Fprintln(a.err, text)
		}
	}
	return texts
}

// unbuiltFile holds, in the directory of a matrix, all that was said of builds that could
// not be made.
const unbuiltFile = "unbuilt.txt"

// keepUnbuilt writes down what was said of builds; nothing: of an earlier matrix nothing
// stays.
func (d *matrixDir) keepUnbuilt(texts []string) error {
	if len(texts) > 0 {
		return engine.Advise(rundir.WriteFile(d.path, unbuiltFile, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, strings.Join(texts, "\n\n"))
			return err
		}))
	}
	if err := os.Remove(filepath.Join(d.path, unbuiltFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// firstWords are the first line of what is said of an error, without what could move a
// terminal's cursor. What follows may be a server's log. Go begins what its compiler says
// with the package, in a line of its own: the next is joined to that.
func firstWords(err error) string {
	line, rest, _ := strings.Cut(withoutControls(lastWords(err)), "\n")
	for heading := regexp.MustCompile(`(^|\s)# \S+( \[\S+\])?$`); rest != "" && heading.MatchString(line); {
		var next string
		next, rest, _ = strings.Cut(rest, "\n")
		line = heading.ReplaceAllString(line, "$1") + next
	}
	return strings.TrimPrefix(line, "skewsim: ")
}

// withoutControls is a text without what could move a terminal's cursor, in its lines.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, text)
}
