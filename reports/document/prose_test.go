package document

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCode: a code span ends where its text does, however many backticks that has.
func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"a":     "`a`",
		"a`b":   "``a`b``",
		"a``b`": "``` a``b` ```",
		"`":     "`` ` ``",
		"a|b":   "`a|b`",
	} {
		assert.Equal(t, want, CodeSpan(text))
	}
}

// TestCell: what a value holds makes no cell of its own, in code or out of it.
func TestCell(t *testing.T) {
	for value, want := range map[string]string{
		`"a|b"`:      "`\"a\\|b\"`",
		"`|`":        "`\\|`",
		"|":          "`\\|`",
		"a | b":      "a `\\|` b",
		"plain word": "plain word",
		"`plain`":    "`plain`",
	} {
		got := (&markdown{most: 100}).tableCell(Cell{Text: Prose(value)})
		assert.Equal(t, want, got)
		assert.Equal(t, strings.Count(got, "|"), strings.Count(got, `\|`), "a bar that ends the cell: %s", got)
	}
}

// TestProse: what reads as a sentence stays one; what a Markdown reader or a
// forge would act upon is code.
func TestProse(t *testing.T) {
	for word, stays := range map[string]bool{
		"1/2:": true, "1/2)": true, "(v1.1.0+required),": true, `"name"`: true, "it?": true, "12": true, "(1": true, "`.spec.width`,": true, "(`a`)": true, "`a": false, "`a``b`": false,
		"1.": false, "1)": false, "+": false, "-": false, "*a*": false, "a_b_c": false, "<b>": false, "@team": false, "#12": false,
		"a#12": false, "https://x": false, "www.x.dev": false, "GH-12": false, ":smile:": false, "[a](b)": false, "&amp;": false, "a\\b": false, "~~a~~": false,
	} {
		want := word
		if !stays {
			want = CodeSpan(word)
		}
		assert.Equal(t, want, ProseOf(word))
	}
}

// TestPunctuationIsNoCode: of a word that becomes code the sentence's punctuation stays
// outside, and what is the word's own inside.
func TestPunctuationIsNoCode(t *testing.T) {
	for word, want := range map[string]string{
		".spec.width,": "`.spec.width`,", ".spec.width:": "`.spec.width`:", "(.spec.width)": "(`.spec.width`)", "(.spec.width": "(`.spec.width`",
		".spec.width).": "`.spec.width`).", "(.spec.width);": "(`.spec.width`);", "a_b?!": "`a_b`?!", `"a_b",`: "`\"a_b\"`,", "1/2*,": "`1/2*`,",
		".spec.width": "`.spec.width`", "f(a_b)": "`f(a_b)`", "f(a_b),": "`f(a_b)`,", "[a](b)": "`[a](b)`", "[a](b).": "`[a](b)`.", "-,": "`-`,", "(": "`(`", "...": "`...`",
		"(f(a_b))": "(`f(a_b)`)",
	} {
		assert.Equal(t, want, ProseOf(word), word)
	}
}
