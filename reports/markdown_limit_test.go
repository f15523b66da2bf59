package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// maxOfAComment is what a comment on a pull request holds, in characters.
const maxOfAComment = 65_536

// crowdedRun is a run with so many of everything, each text of which is the given one.
func crowdedRun(n int, text string) reports.Run {
	r := fixedRun(0)
	r.Plan.Expect = make([]scenarios.Expectation, n)
	res := &r.Result
	res.Scenario, res.Reason, res.About, res.Answer, res.Releases = text, text, text, text, []string{text, text}
	res.Mutant = &result.Mutant{Name: text, About: text, Message: text}
	res.Findings, res.Missing, res.Notes, res.Skipped, res.Checks, res.Builds = nil, nil, nil, nil, nil, nil
	rules, checks := term.Rules(), term.Checks()
	for i := range n {
		own := fmt.Sprintf("%d %s", i, text)
		f := result.Finding{Check: checks[i%len(checks)].Word, Rule: rules[i%len(rules)].Word, Copy: own, Path: own, Step: i + 1, Message: own}
		res.Findings = append(res.Findings, f)
		f.Expected, f.Expectation = true, i+1
		res.Findings = append(res.Findings, f)
		res.Missing = append(res.Missing, result.Missing{Message: own, Expectation: scenarios.Expectation{Path: scenarios.OneOf[string]{own}}})
		res.Expired = append(res.Expired, result.Expired{Message: own, Expectation: scenarios.Expectation{Owner: own, Until: own, Why: own}})
		res.Elsewhere = append(res.Elsewhere, result.Elsewhere{Reason: own, Expectation: scenarios.Expectation{When: &scenarios.When{New: own}}})
		res.Notes = append(res.Notes, own)
		res.Skipped = append(res.Skipped, result.Skip{Reason: own})
		res.Checks = append(res.Checks, result.Check{Name: checks[i%len(checks)].Word, Verdict: term.Fail, Reason: own})
		res.Builds = append(res.Builds, result.Build{Role: term.Old, Reference: own, Version: own, Digest: own})
	}
	r.Plan.Releases = []plan.Release{{Role: term.Old, Reference: text}, {Role: term.New, Reference: text}}
	return r
}

// TestMarkdownFitsAComment: whatever a run holds, its report.md can be posted, and says
// what it leaves out.
func TestMarkdownFitsAComment(t *testing.T) {
	texts := append(attacks(), strings.Repeat("` ", 5000), strings.Repeat("`", 5000), strings.Repeat("𝟘 ", 5000), strings.Repeat("|", 5000), "word")
	for i, text := range texts {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			got := write(t, "report.md", crowdedRun(300, string([]rune(text)[:min(len([]rune(text)), 300)])))
			assert.Less(t, utf8.RuneCountInString(got), maxOfAComment)
			assert.Less(t, utf8.RuneCountInString(write(t, "report.md", crowdedRun(60, text))), maxOfAComment)
			assert.Contains(t, got, "#### Unexpected findings: 300")
			assert.Regexp(t, `- and \d+ more, in report.html`, got)
			assert.Equal(t, strings.Count(got, "\n<details>"), strings.Count(got, "\n</details>"))
		})
	}
	few := write(t, "report.md", crowdedRun(3, "word"))
	assert.NotContains(t, few, "more, in report.html")
}

// rendered is Markdown as a forge shows it: GitHub's dialect, with raw HTML.
func rendered(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	forge := goldmark.New(goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Linkify, extension.Strikethrough, extension.TaskList), goldmark.WithRendererOptions(render.WithUnsafe()))
	require.NoError(t, forge.Convert([]byte(text), &b))
	return b.String()
}

// TestInjectionIntoMarkdown: what others wrote makes no markup, no link and no mention.
func TestInjectionIntoMarkdown(t *testing.T) {
	benign := rendered(t, write(t, "report.md", benignRun()))
	assert.Empty(t, strange(t, benign, benign))
	for _, bad := range []string{"<img>", "![x](y)", "https://evil.example", "**b**", "---", "\n| a |\n|---|\n", "# x"} {
		assert.NotEmpty(t, strange(t, rendered(t, "word\n\n"+bad), rendered(t, "word\n\n- `x`")), bad)
	}
	eachTurn(t, "report.md", func(t *testing.T, text string) {
		assert.Empty(t, strange(t, rendered(t, text), benign))
		assert.Empty(t, acting(text, "\n"))
		assert.Empty(t, outsideCode(text, "@#!~"))
	})
	merged := rendered(t, write(t, "merged.md", benignRun()))
	eachTurn(t, "merged.md", func(t *testing.T, text string) {
		assert.Empty(t, strange(t, rendered(t, text), merged))
		assert.Empty(t, acting(text, "\n"))
		assert.Empty(t, outsideCode(text, "@#!~"))
	})
	assert.NotEmpty(t, outsideCode("- see @team", "@"))
	assert.Empty(t, outsideCode("- see `` @`team ``\n### x", "@#"))
}

// outsideCode lists what stands outside of code and holds one of the characters, of which a
// forge makes mentions and references.
func outsideCode(text, characters string) (found []string) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimLeft(line, "#")
		for line != "" {
			plain, rest, _ := strings.Cut(line, "`")
			if strings.ContainsAny(plain, characters) {
				found = append(found, plain)
			}
			fence := 1 + len(rest) - len(strings.TrimLeft(rest, "`"))
			line = behind(strings.TrimLeft(rest, "`"), fence)
		}
	}
	return found
}

// behind is what follows a code span whose fence has so many backticks.
func behind(text string, fence int) string {
	for text != "" {
		start := strings.Index(text, "`")
		if start < 0 {
			return ""
		}
		text = text[start:]
		run := len(text) - len(strings.TrimLeft(text, "`"))
		text = text[run:]
		if run == fence {
			return text
		}
	}
	return ""
}
