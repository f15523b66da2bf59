package term

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// lineBreaks matches the line breaks of servers' messages, with the indentation of the next
// line.
var lineBreaks = regexp.MustCompile(`[ \t\r]*\n[ \t\r\n]*`)

// Visible returns text that strangers can set as inert text in one line: a line break becomes a space.
// Whatever prints such text calls it, so that no text moves a cursor, reorders a line or adds one.
func Visible(text string) string { return inert(lineBreaks.ReplaceAllLiteralString(text, " ")) }

// VisibleLines returns inert text whose line breaks and tabs stay, such as the error of a compiler.
func VisibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		words := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j := range words {
			words[j] = inert(words[j])
		}
		lines[i] = WithoutCommand(strings.Join(words, "\t"))
	}
	return strings.Join(lines, "\n")
}

// WithoutCommand returns a line that no CI runner takes for a command: GitHub's reads lines that begin with
// two colons or ##[, whatever space is before them.
func WithoutCommand(line string) string {
	text := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(text, "::") && !strings.HasPrefix(text, "##[") {
		return line
	}
	return line[:len(line)-len(text)] + fmt.Sprintf(`\u%04x`, text[0]) + text[1:]
}

// inert returns the text with the code point instead of every character that a reader would
// interpret: control characters (a terminal interprets them, XML forbids them), format
// characters such as the bidirectional overrides (they reorder the text), non-characters
// (XML forbids them too), and bytes that are not UTF-8.
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

// isBroken reports whether the text begins with a byte that is not UTF-8, as opposed to a
// replacement character in the text.
func isBroken(text string) bool {
	_, size := utf8.DecodeRuneInString(text)
	return size == 1
}

// acts reports whether a character does something other than show a glyph. The categories
// Co and Cs have no glyph that two machines would agree on.
func acts(r rune) bool {
	if ' ' <= r && r <= '~' { // most characters by far
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}

// VisibleJSON returns a JSON document with an escape instead of every character in its texts that a reader would
// interpret: it means the same, and a terminal shows it as it is.
func VisibleJSON(document []byte) []byte { return escapeJSON(document, actsInJSON) }

// JSONForYAML returns a JSON document that a YAML parser reads as the same, such as the server that takes an apply: YAML
// forbids some characters that JSON texts may have, makes a space of others that it takes for line breaks, and does not
// know the two escapes of one character above the basic plane.
func JSONForYAML(document []byte) []byte {
	if bytes.IndexByte(document, '\\') < 0 {
		return escapeJSON(document, foreignToYAML)
	}
	document = surrogates.ReplaceAllFunc(document, func(escape []byte) []byte {
		if escape[1] != 'u' {
			return escape // of another character, such as a backslash
		}
		var units []uint16
		for i := 0; i < len(escape); i += len(`\ud83e`) {
			unit, _ := strconv.ParseUint(string(escape[i+2:i+6]), 16, 16) // it matches
			units = append(units, uint16(unit))
		}
		return []byte(string(utf16.Decode(units)))
	})
	return escapeJSON(document, foreignToYAML)
}

// surrogates matches the escapes of halves of characters, as many as follow each other, and to skip it any other escape.
var surrogates = regexp.MustCompile(`(\\u[dD][89a-fA-F][0-9a-fA-F]{2})+|\\[^u]|\\u[0-9a-fA-F]{4}`)

// escapeJSON escapes the characters of a document's texts for which a function asks.
func escapeJSON(document []byte, escapes func(rune) bool) []byte {
	if bytes.IndexFunc(document, escapes) < 0 {
		return document
	}
	var out []byte
	for _, r := range string(document) {
		switch {
		case !escapes(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			first, second := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, first, second)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// actsInJSON reports whether a character that acts is in a text: line breaks and tabs are between texts alone.
func actsInJSON(r rune) bool { return r != '\n' && r != '\r' && r != '\t' && acts(r) }

// foreignToYAML is actsInJSON for what YAML would not read. It takes the characters above the basic plane as they are,
// and not their two escapes.
func foreignToYAML(r rune) bool { return r <= 0xffff && actsInJSON(r) }
