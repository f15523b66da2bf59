package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
)

// Problem is one thing wrong with a scenario or one of its object files.
type Problem = yamlnodes.Problem

// Errors is everything wrong with a scenario at once: the scenario's own
// problems by line, then those of its object files.
type Errors []Problem

// maxPrinted bounds what a file that is no scenario at all puts on the screen.
const maxPrinted = 100

// Error prints one problem a line, and how many there are beyond the first 100.
func (e Errors) Error() string {
	var lines []string
	for _, p := range e[:min(len(e), maxPrinted)] {
		lines = append(lines, p.Error())
	}
	if more := len(e) - maxPrinted; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d more problems", e[0].File, more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each problem to errors.As.
func (e Errors) Unwrap() []error {
	each := make([]error, len(e))
	for i, p := range e {
		each[i] = p
	}
	return each
}

// problems collects what is wrong with one file.
type problems struct {
	file string
	list Errors
	told map[string]bool // each path of a problem, and all paths above it
}

func (p *problems) add(line int, path, format string, args ...any) {
	p.list = append(p.list, Problem{File: p.file, Line: line, Path: path, Text: fmt.Sprintf(format, args...)})
	if p.told == nil {
		p.told = map[string]bool{}
	}
	for ; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
		p.told[path] = true
	}
}

// reported tells whether something is known to be wrong at or below the path,
// so that one mistake is not told twice.
func (p *problems) reported(path string) bool { return p.told[path] }

// err returns nil or the problems by file and line, those of the scenario first.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(compareFiles(p.file, a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return p.list
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
