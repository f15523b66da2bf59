package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// maxBytes bounds the size of a file, which normally has a few lines.
const maxBytes = 64 << 10

// Problem is one error in a file.
type Problem = strict.Problem

// FileError is what is wrong with the program file of a release, and not with what the release consists of.
type FileError struct{ Err error }

// Error returns what is wrong.
func (e *FileError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *FileError) Unwrap() error { return e.Err }

// Reader reads one file.
type Reader struct {
	// File is the file's name in problems.
	File string
	// Example is a valid document, and Needs the least that a file has, for problems.
	Example, Needs string

	problems []error
}

// Err returns every problem of the file, or nil.
func (r *Reader) Err() error { return errors.Join(r.problems...) }

// Add adds a problem.
func (r *Reader) Add(line int, at, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.File, Line: line, Path: at, Text: fmt.Sprintf(format, args...)})
}

// Document returns the file's only map, or nil if it has none; the problem has been added then.
func (r *Reader) Document(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		r.Add(0, "", "larger than %d KiB", maxBytes>>10)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decode(decoder, &document); err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("empty: want at least %s", r.Needs)
		}
		r.Add(0, "", "%v", err)
		return nil
	}
	if err := decode(decoder, &second); !errors.Is(err, io.EOF) {
		r.Add(second.Line, "", "more than one document: a file holds exactly one")
	}
	n := document.Content[0]
	strict.Inspect(n, func(line int, text string) { r.Add(line, "", "%s", text) })
	if n.Kind != yaml.MappingNode && len(r.problems) == 0 {
		r.Add(n.Line, "", "%s, want a map such as %s", strict.What(n), r.Example)
	}
	if len(r.problems) > 0 {
		return nil
	}
	return n
}

// decode reads the next document. It turns a panic of the parser into an error.
func decode(decoder *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not YAML: %v", p)
		}
	}()
	switch err := decoder.Decode(into); {
	case errors.Is(err, io.EOF):
		return err
	case err != nil:
		return fmt.Errorf("not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	case len(into.Content) == 0:
		return io.EOF
	}
	return nil
}

// Keys reads a map with known keys, each with its function.
func (r *Reader) Keys(n *yaml.Node, under string, known map[string]func(at string, n *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.Add(n.Line, strings.TrimSuffix(under, "."), "%s, want a map", strict.What(n))
		return
	}
	for key, value := range strict.Keys(n, func(line int, text string) { r.Add(line, "", "%s", text) }) {
		if read := known[key.Value]; read != nil {
			read(under+key.Value, value)
			continue
		}
		r.Add(key.Line, strings.TrimSuffix(under, "."), "unknown key %s%s", strict.Quote(key.Value), Hint(key.Value, known))
	}
}

// Text returns a node's string.
func (r *Reader) Text(at string, n *yaml.Node) (string, bool) {
	if !strict.IsString(n) {
		r.Add(n.Line, at, "%s, want a string", strict.What(n))
		return "", false
	}
	return n.Value, true
}

// Name reads a name that is used in file names and in an object's name.
func (r *Reader) Name(at string, n *yaml.Node, into *string) {
	text, ok := r.Text(at, n)
	if ok && len(validation.IsDNS1035Label(text)) > 0 {
		r.Add(n.Line, at, "%s: want lower-case letters, digits and \"-\", a letter first, at most 63", strict.Quote(text))
		return
	}
	*into = text
}

// List reads a list of strings and calls each with every one.
func (r *Reader) List(at string, n *yaml.Node, each func(at string, n *yaml.Node, text string)) {
	if n.Kind != yaml.SequenceNode {
		r.Add(n.Line, at, "%s, want a list", strict.What(n))
		return
	}
	for i, item := range n.Content {
		place := fmt.Sprintf("%s[%d]", at, i)
		if text, ok := r.Text(place, item); ok {
			each(place, item, text)
		}
	}
}

// Hint returns what to add to an unknown word: the nearest known one, or all of them.
func Hint[V any](word string, known map[string]V) string {
	const longest = 64
	all := slices.Sorted(maps.Keys(known))
	best, least := "", 3
	for _, k := range all {
		if len(word) > longest {
			break
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	if best != "" {
		return fmt.Sprintf(": did you mean %q?", best)
	}
	return fmt.Sprintf(" (known: %s)", strings.Join(all, ", "))
}
