package view

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineBreaks are those of what servers say in several lines, with what indents the next.
var lineBreaks = regexp.MustCompile(`[ \t\r]*\n[ \t\r\n]*`)

// Visible is inert text in one line: a line break is shown as a space.
func Visible(text string) string { return inert(lineBreaks.ReplaceAllLiteralString(text, " ")) }

// inert returns the text with every character that a reader would obey
// instead of show, written as its code point: control characters (a terminal obeys
// them, XML forbids them), format characters such as the bidirectional
// overrides (they reorder what a reader sees), what is no character (XML forbids
// it too), and bytes that are no UTF-8.
func inert(text string) string {
	if strings.IndexFunc(text, acts) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && isBroken(text[i:]):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case acts(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isBroken reports whether the text begins with a byte that is no UTF-8, rather
// than with a replacement character that someone wrote.
func isBroken(text string) bool {
	_, size := utf8.DecodeRuneInString(text)
	return size == 1
}

// acts reports whether a character does something other than show a glyph. Co
// and Cs have no glyph that two machines would agree on.
func acts(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}
