package document

import (
	"fmt"
	"io"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Brief returns inert text in one line with at most so many characters.
func Brief(text string, most int) string {
	runes := []rune(term.Visible(text))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + " …"
}

// Write writes a whole file at once. Name is for errors.
func Write(w io.Writer, name string, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("%s: write: %w", name, err)
	}
	return nil
}
