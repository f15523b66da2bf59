package diff_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

var update = flag.Bool("update", false, "write the table of differences into docs/how-to/compare-two-releases.md")

const (
	page     = "../../docs/how-to/compare-two-releases.md"
	begin    = "<!-- differences: written by go test ./sim/diff -run TestDocs -update -->\n"
	endOfAll = "<!-- end of differences -->\n"
)

// TestDocs holds that the page lists every kind of difference.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, endOfAll)
	require.True(t, found)
	var table strings.Builder
	table.WriteString("\n| difference | meaning |\n| --- | --- |\n")
	for _, e := range term.DifferenceKinds() {
		fmt.Fprintf(&table, "| `%s` | %s |\n", e.Word, e.Meaning)
	}
	want := before + begin + table.String() + "\n" + endOfAll + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text))
}
