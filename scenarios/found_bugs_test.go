package scenarios_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
)

// TestFoundBugs: each row of the table of bugs names a scenario of the catalogue, which
// expects a finding; and what the text below it names is there.
func TestFoundBugs(t *testing.T) {
	text, err := os.ReadFile("../docs/findings/kubernetes-bugs.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|(.*)$").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, rows)
	for _, row := range rows {
		s, err := load.Find("kubernetes/" + row[1])
		if assert.NoError(t, err, row[1]) {
			assert.NotEmpty(t, s.Expect, "%s: a bug is a finding that is expected", row[1])
		}
		assert.Equal(t, 5, strings.Count(row[2], "|")+1, "%s: releases, what, sees, avoid", row[1])
	}
	_, below, found := strings.Cut(string(text), "\n## ")
	require.True(t, found)
	for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(below, -1) {
		_, err := load.Find("kubernetes/" + m[1])
		assert.NoError(t, err, m[1])
	}
}
