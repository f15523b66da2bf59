package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/scenarios/term"
)

// WriteJSON writes a document for people and programs: indented, with < and & unescaped, since no browser reads it as
// HTML, and with no text in it that acts on a terminal. Name is for errors.
func WriteJSON(w io.Writer, name string, document any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(document)
	if err == nil {
		_, err = w.Write(term.VisibleJSON(text.Bytes()))
	}
	if err != nil {
		return fmt.Errorf("%s: write: %w", name, err)
	}
	return nil
}
