package document

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const hostile = "</script><img src=x onerror=alert(1)>|`@admin` [x](javascript:alert(1)) \u202egnp\x1b[31m\n::error::x"

// hostileDocument has a hostile text wherever a filler can put one.
func hostileDocument() Document {
	text := Prose(hostile).Code(hostile).Prose(hostile)
	mark := Mark{Sign: hostile, Word: hostile, Severity: Bad}
	row := Row{Cells: []Cell{{Mark: mark, Text: text}, {Text: text}}, Address: hostile, Kind: hostile, Whole: []Text{text}}
	listed := row
	listed.Rows = []Row{row}
	d := Document{Verdict: mark, Title: hostile, Lead: row.Cells, Ended: hostile, Command: hostile, Places: []string{hostile}, Page: "page.html", MaxText: 500}
	columns := []Column{{Head: hostile}, {Head: hostile}}
	for _, s := range []Section{{}, {Folded: true}, {Inner: true}, {Columns: columns}, {Columns: columns, Aligned: true}} {
		s.Title, s.Text, s.After, s.Mark, s.Rows = hostile, text, text, mark, []Row{listed}
		d.Add(s)
	}
	return d
}

// element is code in the heading of a folded section, which is HTML.
var element = regexp.MustCompile("<code>[^<>]*</code>")

// TestHostileDocument: no text of a document acts in any format, wherever a filler puts it.
func TestHostileDocument(t *testing.T) {
	for _, d := range []Document{hostileDocument(), {Title: hostile, Sections: hostileDocument().Sections}} {
		var out bytes.Buffer
		require.NoError(t, Terminal(&out, d, TerminalOptions{}))
		for _, line := range strings.Split(out.String(), "\n") {
			assert.False(t, strings.ContainsAny(line, "\u202e\x1b"), line)
			assert.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), line)
		}
		out.Reset()
		require.NoError(t, Markdown(&out, "x.md", d))
		for _, line := range strings.Split(out.String(), "\n") {
			plain := withoutCode(element.ReplaceAllString(line, ""))
			for _, active := range []string{"<img", "</script", "@admin", "](", "\u202e", "\x1b"} {
				assert.NotContains(t, plain, active, line)
			}
			if strings.HasPrefix(line, "|") {
				assert.Equal(t, 3, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"), line)
			}
		}
	}
}

// withoutCode returns what is outside of code, in which nothing has a meaning.
func withoutCode(line string) string {
	var plain strings.Builder
	for line != "" {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			break
		}
		fence := line[at : len(line)-len(strings.TrimLeft(line[at:], "`"))]
		plain.WriteString(line[:at])
		rest := line[at+len(fence):]
		end := strings.Index(rest, fence)
		if end < 0 {
			return plain.String() + rest
		}
		line = strings.TrimLeft(rest[end:], "`")
	}
	return plain.String() + line
}

// TestWhatIsLeftOut: a section says how many rows it leaves out, in each format.
func TestWhatIsLeftOut(t *testing.T) {
	s := Section{Title: "writes", Noun: "write", Lines: 2, Room: 60}
	for i := range 10 {
		s.Rows = append(s.Rows, Cells(fmt.Sprintf("write number %d", i)))
	}
	d := Document{Title: "t", Page: "page.html", MaxText: 100, Sections: []Section{s}}
	var out bytes.Buffer
	require.NoError(t, Terminal(&out, d, TerminalOptions{}))
	assert.Contains(t, out.String(), "and 8 more writes\n")
	out.Reset()
	require.NoError(t, Markdown(&out, "x.md", d))
	assert.Contains(t, out.String(), "- and 7 more writes, in page.html\n")
}
