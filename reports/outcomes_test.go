package reports_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestDocumentedOutcomes: docs/reference/outcomes.md has the one list, and which command reports what of it.
func TestDocumentedOutcomes(t *testing.T) {
	const file = "../docs/reference/outcomes.md"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "-update -->\n")
	require.True(t, found)
	_, after, found := strings.Cut(rest, "<!-- end of outcomes -->")
	require.True(t, found)
	want := before + "-update -->\n" + outcomeTable() + "<!-- end of outcomes -->" + after
	if flag.Lookup("update").Value.String() == "true" {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
	}
	assert.Equal(t, want, string(text))
}

func outcomeTable() string {
	var b strings.Builder
	b.WriteString("\n| outcome | meaning | run, fuzz | sweep | preflight |\n| --- | --- | --- | --- | --- |\n")
	yes := map[bool]string{true: "yes"}
	for _, e := range term.Outcomes() {
		swept := slices.ContainsFunc(sweep.Effects(), func(of term.Effect) bool { return of.Outcome == e.Word })
		grade := ""
		if slices.Contains(preflight.Outcomes(), e.Word) {
			grade = map[preflight.Grade]string{preflight.Blocked: "error", preflight.Attention: "warning", preflight.Unknown: "unknown"}[preflight.GradeOf(e.Word)]
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", e.Word, e.Meaning, yes[term.RunOutcomes().Has(e.Word)], yes[swept], grade)
	}
	return b.String() + "\n"
}
