package reports

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
		assert.Equal(t, want, code(text))
	}
}

// TestCell: what a value holds makes no cell of its own, in code or out of it.
func TestCell(t *testing.T) {
	for value, want := range map[string]string{
		`"a|b"`:      "`\"a\\|b\"`",
		"`|`":        "`` `\\|` ``",
		"|":          "`\\|`",
		"a | b":      "a `\\|` b",
		"plain word": "plain word",
		"`plain`":    "`` `plain` ``",
	} {
		got := cell(value)
		assert.Equal(t, want, got)
		assert.Equal(t, strings.Count(got, "|"), strings.Count(got, `\|`), "a bar that ends the cell: %s", got)
	}
}
