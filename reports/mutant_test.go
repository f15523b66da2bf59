package reports_test

import (
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/result"
)

// Every format says that the release was wrong on purpose, and whether that was
// found; none says so of a right release.
func TestMutant(t *testing.T) {
	t.Parallel()
	tells := func(name string, mutant *result.Mutant) string {
		run := fixedRun(0)
		run.Result.Mutant = mutant
		return strings.ReplaceAll(html.UnescapeString(write(t, name, run)), "`", "")
	}
	for name, words := range map[string][]string{
		"report.html": {"emptydir-mode+required", "asks for a width"}, "report.md": {"emptydir-mode+required", "asks for a width"},
		"summary.txt": {"emptydir-mode+required", "asks for a width"}, "summary-color.txt": {"emptydir-mode+required", "asks for a width"},
		"junit.xml": {"emptydir-mode+required"}, "result.json": {`"name": "required"`, "asks for a width"},
	} {
		for _, message := range []string{"caught by rule-1: 12 findings", "missed: no finding agrees"} {
			text := tells(name, &result.Mutant{Name: "required", About: "1.1 asks for a width.", Caught: message[0] == 'c', Message: message})
			for _, want := range append(words, message) {
				if !strings.Contains(text, want) {
					t.Errorf("%s: does not say %q", name, want)
				}
			}
		}
		if text := tells(name, nil); strings.Contains(text, "on purpose") || strings.Contains(text, `"twin"`) {
			t.Errorf("%s: shows a mutant in a run without one", name)
		}
	}
}

// TestHostileMutant: a scenario author's description of a mutant is untrusted text.
func TestHostileMutant(t *testing.T) {
	run := fixedRun(0)
	run.Result.Mutant = &result.Mutant{Name: hostile, About: hostile, Message: hostile}
	for name, raw := range map[string]string{"report.html": "<img src=x", "report.md": "\u202e", "summary.txt": "\x1b[31m", "junit.xml": "\u202e"} {
		if strings.Contains(write(t, name, run), raw) && !strings.Contains(write(t, name, fixedRun(0)), raw) {
			t.Errorf("%s: holds %q as it stands", name, raw)
		}
	}
}

// Which release was wrong is what the builds' references say: the old one, the new one,
// or both.
func TestMutantOfEitherRelease(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{"", "+required", "the new release is wrong on purpose"},
		{"+required", "", "the old release is wrong on purpose"},
		{"+required", "+required", "both releases are wrong on purpose"},
		{"+other", "+required", "the new release is wrong on purpose"},
	} {
		run := fixedRun(0)
		run.Result.Mutant = &result.Mutant{Name: "required", About: "It asks for a width."}
		run.Result.Builds = slices.Clone(run.Result.Builds)
		run.Result.Builds[0].Reference += c.old
		run.Result.Builds[1].Reference += c.new
		told := map[string]string{}
		for _, name := range []string{"report.html", "report.md", "summary.txt"} {
			told[name] = write(t, name, run)
		}
		var answers strings.Builder
		require.NoError(t, reports.PRR(&answers, []reports.Measured{reports.Measure(run)}))
		told["prr"] = answers.String()
		for name, text := range told {
			text = strings.ToLower(text)
			assert.Contains(t, text, c.want, name)
			assert.Equal(t, 1, strings.Count(text, "wrong on purpose (mutant")+strings.Count(text, ": "+c.want), name)
		}
	}
}
