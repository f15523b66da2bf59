package document

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWholeDocumentFits: sections with all of their rooms full, and leads whose characters all need an escape, fit into a
// comment together, and what is left out is counted. A document that fits says nothing of it.
func TestWholeDocumentFits(t *testing.T) {
	written := func(sections int, lead string) string {
		d := Document{Title: "t", Page: "page.html", MaxText: 200, Lead: Paragraphs(lead, lead, lead, lead), Command: "again"}
		for i := range sections {
			s := Section{Title: fmt.Sprintf("part %d", i), Room: 9_000, Text: Prose(lead), Folded: i%2 == 0}
			for range 100 {
				s.Rows = append(s.Rows, Cells(strings.Repeat("` ", 100)))
			}
			d.Add(s)
		}
		var b bytes.Buffer
		require.NoError(t, Markdown(&b, "x.md", d))
		return b.String()
	}
	full := written(20, strings.Repeat("` ", 5000))
	assert.Less(t, len(full), 65_536)
	assert.Contains(t, full, "sections more, in page.html")
	assert.Contains(t, full, "Again: ", "the command is there whatever is left out")
	assert.Equal(t, strings.Count(full, "<details>"), strings.Count(full, "</details>"))
	assert.NotContains(t, written(3, "word"), "more, in page.html.\n")
}

// TestAlignedTables: a pipe loses nothing of a column; a narrow terminal has the last column below its row; a table
// without rows has no head.
func TestAlignedTables(t *testing.T) {
	long := strings.Repeat("x", 80)
	d := Document{Title: "t"}
	d.Add(Section{Title: "s", Aligned: true, Columns: []Column{{Head: "name"}, {Head: "says"}}, Rows: []Row{Cells(long, "some words that say what is so")}})
	shown := func(d Document, width int) string {
		var b bytes.Buffer
		require.NoError(t, Terminal(&b, d, TerminalOptions{Width: width}))
		return b.String()
	}
	assert.Contains(t, shown(d, 0), long)
	assert.NotContains(t, shown(d, 80), long)
	assert.Contains(t, shown(d, 80), "\n      some words that say what is so\n")
	empty := Document{Title: "t"}
	empty.Add(Section{Title: "s", Aligned: true, Columns: []Column{{Head: "name"}, {Head: "says"}}, After: Prose("nothing")})
	assert.NotContains(t, shown(empty, 0), "says")
}
