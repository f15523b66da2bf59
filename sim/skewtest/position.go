package skewtest

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// position is a line of Go source.
type position struct {
	file string // without its directory, as go test names files
	line int
}

// caller returns the line on which a user calls the function that calls caller. Functions of
// this package between the two are skipped: skip is their number.
func caller(skip int) position {
	_, file, line, ok := runtime.Caller(skip + 2)
	if !ok {
		return position{}
	}
	return position{filepath.Base(file), line}
}

func (p position) known() bool { return p.line > 0 }

// String returns file:line.
func (p position) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

// positions are the lines of Go that the parts of a scenario come from: by their paths in the
// scenario's file, such as "play[2]", and by the files of objects.
type positions map[string]position

// positions returns where the parts of the scenario come from. Parts that Edit adds are from
// the call of Scenario.
func (s *ScenarioSpec) positions() positions {
	p := positions{"": s.at}
	for name, at := range s.objectsAt {
		p["objects."+name] = at
		p[objectFile(name, treatedForm)] = at
		p[objectFile(name, bystanderForm)] = at
	}
	p.addLines("play", len(s.model.Play), &s.Lines)
	for i, e := range s.expect {
		p[fmt.Sprintf("expect[%d]", len(s.model.Expect)+i)] = e.at
	}
	return p
}

func (p positions) addLines(list string, first int, lines *Lines) {
	for i, l := range lines.all {
		at := fmt.Sprintf("%s[%d]", list, first+i)
		p[at] = l.at
		p.addLines(at+".then", len(l.model.Then), &l.then)
	}
}

// of returns the position of a part, or of its nearest parent that has one.
func (p positions) of(part string) position {
	for {
		if at, known := p[part]; known || part == "" {
			return at
		}
		part = part[:max(0, strings.LastIndexAny(part, ".["))]
	}
}

// ofLine returns the position of what is in a line of the scenario's file.
func (p positions) ofLine(s *scenarios.Scenario, line int) position {
	for _, part := range slices.Sorted(maps.Keys(s.Lines)) {
		if s.Lines[part] == line {
			return p.of(part)
		}
	}
	return position{}
}

// expectation returns where an expectation comes from, by its place from 1.
func (p positions) expectation(s *scenarios.Scenario, place int) string {
	if at := p.of(fmt.Sprintf("expect[%d]", place-1)); at.known() {
		return at.String()
	}
	return s.Place(fmt.Sprintf("expect[%d]", place-1))
}

// explain makes an error name lines of Go instead of lines of the scenario's file, which the
// user never wrote. s is nil if the scenario is not valid.
func (p positions) explain(err error, s *scenarios.Scenario) error {
	if err == nil || len(p) == 0 {
		return err
	}
	if problems := (strict.Errors)(nil); errors.As(err, &problems) {
		located := slices.Clone(problems)
		for i, problem := range located {
			located[i] = p.locate(problem)
		}
		return located
	}
	if s == nil {
		return err
	}
	text := regexp.MustCompile(regexp.QuoteMeta(path.Base(s.File))+`:(\d+)\b`).ReplaceAllStringFunc(err.Error(), func(place string) string {
		line, _ := strconv.Atoi(place[strings.LastIndex(place, ":")+1:]) // digits
		if at := p.ofLine(s, line); at.known() {
			return at.String()
		}
		return place
	})
	return explained{text, err}
}

// locate returns a problem with its line of Go. The problem of an object keeps the place in the
// object's file.
func (p positions) locate(problem strict.Problem) strict.Problem {
	at, ofObject := p[problem.File]
	if !ofObject {
		at = p.of(problem.Path)
	}
	switch {
	case !at.known():
		return problem
	case ofObject:
		return strict.Problem{File: at.file, Line: at.line, Text: problem.Error()}
	}
	problem.File, problem.Line = at.file, at.line
	return problem
}

// explained is an error with another text.
type explained struct {
	text string
	error
}

// Error returns the text.
func (e explained) Error() string { return e.text }

// Unwrap returns the error itself.
func (e explained) Unwrap() error { return e.error }
