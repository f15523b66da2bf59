package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/servers/fault"
)

const (
	// maxFiles bounds the number of files, so that a wrong folder is reported at once.
	maxFiles = 10_000
	// maxYAML bounds one file of YAML, which takes much more memory than JSON.
	maxYAML = 16 << 20
	// maxJSON bounds one file of JSON.
	maxJSON = 64 << 20
	// maxTotal bounds all files together, because objects are sorted before the first is used.
	maxTotal = 512 << 20
	// maxProblems bounds the number of reported problems.
	maxProblems = 30
)

// StandardInput is the path of standard input.
const StandardInput = "-"

// Manifests is a list of files and folders.
type Manifests struct {
	// Paths are files, folders and StandardInput.
	Paths []string
	// Stdin is what StandardInput reads.
	Stdin io.Reader
}

// reader collects what the files contain.
type reader struct {
	interrupted func() error // of the context
	found       []placed
	problems    []error
	coverage    Coverage
	files       int
	bytes       int64
}

// placed is an object and where it is.
type placed struct {
	Object
	rank int
}

// Each reads all files, and then yields the objects.
func (s Manifests) Each(ctx context.Context, each func(Object) error) (Coverage, error) {
	r := &reader{interrupted: ctx.Err, coverage: Coverage{ReadAt: time.Now().UTC(), Limits: []string{
		"Manifests do not contain what controllers and webhooks add: status, changes of a webhook, and objects that controllers create.",
		"Objects that are in a cluster and not in these files are not covered.",
	}}}
	for _, path := range s.Paths {
		r.path(path, s.Stdin)
	}
	r.coverage.Source = fmt.Sprintf("manifests: %s (%s)", strings.Join(s.Paths, ", "), counted(r.files, "file"))
	if err := ctx.Err(); err != nil {
		return r.coverage, err
	}
	if err := r.failed(); err != nil {
		return r.coverage, fault.ByUser(err)
	}
	slices.SortStableFunc(r.found, func(a, b placed) int { return a.rank - b.rank })
	for _, p := range r.found {
		if err := each(p.Object); err != nil {
			return r.coverage, err
		}
		r.coverage.Objects++
	}
	return r.coverage, nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// failed returns the problems as one error, up to maxProblems of them. No object at all is a
// problem too.
func (r *reader) failed() error {
	all := r.problems
	if len(all) == 0 && len(r.found) == 0 {
		return r.empty()
	}
	if more := len(all) - maxProblems; more > 0 {
		all = append(slices.Clip(all[:maxProblems]), fmt.Errorf("and %d more", more))
	}
	return errors.Join(all...)
}

// empty returns an error that says what the files contain instead of objects.
func (r *reader) empty() error {
	text := r.coverage.Source + ": no Kubernetes object"
	skipped := r.coverage.Skipped
	for _, s := range skipped[:min(3, len(skipped))] {
		text += "\n  skipped " + s.String()
	}
	if more := len(skipped) - 3; more > 0 {
		text += fmt.Sprintf("\n  and %d more", more)
	}
	return errors.New(text)
}

// problem records something that cannot be read.
func (r *reader) problem(file string, line int, format string, args ...any) {
	r.problems = append(r.problems, strict.Problem{File: file, Line: line, Text: fmt.Sprintf(format, args...)})
}
