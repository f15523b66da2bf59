package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shownOf are the pieces of what a block of the README shows of an output: it leaves out
// what "..." replaces, breaks lines where they fit, and shows times that differ.
func shownOf(block string) (pieces []string) {
	for _, piece := range strings.Split(block, "...") {
		if text := onOneLine(piece); text != "" {
			pieces = append(pieces, text)
		}
	}
	return pieces
}

func onOneLine(text string) string {
	return regexp.MustCompile(`[0-9.]+s\b`).ReplaceAllString(strings.Join(strings.Fields(text), " "), "TIME")
}

// TestFrobberReadme: what the README shows of its first commands is what they print.
func TestFrobberReadme(t *testing.T) {
	withFrobber(t)
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	shown := map[string][]string{} // by the scenario that a block names
	for _, block := range regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if m := regexp.MustCompile(`(?m)^(?:PASS|FAIL)  (\S+), `).FindStringSubmatch(block[1]); m != nil {
			shown[m[1]] = shownOf(block[1])
		}
	}
	require.Len(t, shown, 2)
	for name, pieces := range shown {
		_, out, told := called("run", "frobber/"+name)
		printed := onOneLine(out + told)
		for _, piece := range pieces {
			assert.True(t, strings.Contains(printed, piece), "%s does not print %q", name, piece)
		}
	}
}
