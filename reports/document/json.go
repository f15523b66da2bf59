package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/scenarios/term"
)

// WriteJSON writes a value for people and programs: indented, with < and & unescaped, since no browser reads it as
// HTML, and with no text in it that acts on a terminal. Name is for errors.
func WriteJSON(w io.Writer, name string, value any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	if err == nil {
		_, err = w.Write(term.VisibleJSON(text.Bytes()))
	}
	if err != nil {
		return fmt.Errorf("%s: write: %w", name, err)
	}
	return nil
}

// Filled replaces a nil slice by an empty one, so that JSON has [] in its place, which is easier
// to read than null.
func Filled[T any](s *[]T) {
	if *s == nil {
		*s = []T{}
	}
}
