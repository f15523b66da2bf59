package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Problem is one thing wrong with a file that a user writes.
type Problem struct {
	// File is the file as the caller named it, or one in the same folder.
	File string
	// Line counts from 1; 0 means the whole file or folder.
	Line int
	// Path is the place in the document, such as "play[2].via"; empty means the whole document.
	Path string
	// Text says what is wrong, and what would be right.
	Text string
}

// Error prints the problem as new-field.yaml:9: play[2].via: what is wrong.
func (p Problem) Error() string {
	text := p.Text
	if p.Path != "" {
		text = p.Path + ": " + text
	}
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, text)
	}
	return p.File + ": " + text
}

// Errors are all mistakes of a scenario: its own problems by line, then those of its object
// files.
type Errors []Problem

// maxPrinted bounds the output for a file that is not a scenario at all.
const maxPrinted = 100

// Error prints one problem a line, and the number of problems beyond the first 100.
func (e Errors) Error() string {
	var lines []string
	for _, p := range e[:min(len(e), maxPrinted)] {
		lines = append(lines, p.Error())
	}
	if more := len(e) - maxPrinted; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %s", e[0].File, term.Numbered(more, "more problem")))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns each problem, for errors.As.
func (e Errors) Unwrap() []error {
	each := make([]error, len(e))
	for i, p := range e {
		each[i] = p
	}
	return each
}

// Problems collects what is wrong with one file.
type Problems struct {
	File string
	List Errors
	told map[string]bool // each path of a problem, and all its parents
	// Earlier holds, by the path of a key, the path with the earlier name that the file uses.
	Earlier map[string]string
}

// Written returns a path of the document with the names that the file uses of its keys.
func (p *Problems) Written(path string) string { return Written(p.Earlier, path) }

// Written returns a path with the earlier names that a file uses, by the paths of their keys.
func Written(earlier map[string]string, path string) string {
	for i := 1; i <= len(path); i++ {
		name, is := earlier[path[:i]]
		if is && (i == len(path) || path[i] == '.' || path[i] == '[') {
			return name + path[i:]
		}
	}
	return path
}

// Add adds a problem at a line, 0 if not known, and a path of the document.
func (p *Problems) Add(line int, path, format string, args ...any) {
	p.List = append(p.List, Problem{File: p.File, Line: line, Path: p.Written(path), Text: fmt.Sprintf(format, args...)})
	if p.told == nil {
		p.told = map[string]bool{}
	}
	for ; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
		p.told[path] = true
	}
}

// Reported reports whether there is a problem at or below the path, so that a mistake is
// reported once.
func (p *Problems) Reported(path string) bool { return p.told[path] }

// Err returns nil, or the problems by file and line, those of the scenario first.
func (p *Problems) Err() error {
	if len(p.List) == 0 {
		return nil
	}
	slices.SortStableFunc(p.List, func(a, b Problem) int {
		return cmp.Or(compareFiles(p.File, a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return p.List
}

func compareFiles(first, a, b string) int {
	switch {
	case a == b:
		return 0
	case a == first:
		return -1
	case b == first:
		return 1
	}
	return cmp.Compare(a, b)
}
