package term_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// badAdvice says what is wrong with what a rule or cause is advised, "" for nothing.
func badAdvice(a term.Advice, headings string) string {
	known := regexp.MustCompile(`(?m)^### \[` + regexp.QuoteMeta(a.Heading) + `\]`)
	switch {
	case a.Text == "" && a.Why == "":
		return "neither advice nor a reason"
	case a.Text != "" && a.Why != "":
		return "both advice and a reason"
	case a.Text == "" && a.Heading != "":
		return "a heading of no advice"
	case a.Text != "" && !known.MatchString(headings):
		return "a heading that the guide has not"
	}
	return ""
}

// TestAdvice: each rule and each cause is advised, from a part of the guide that
// docs/explanation/rules.md has, or says why not.
func TestAdvice(t *testing.T) {
	text, err := os.ReadFile("../../docs/explanation/rules.md")
	require.NoError(t, err)
	headings := string(text)
	for _, r := range term.Rules() {
		assert.Empty(t, badAdvice(term.AdviceOnRule(r.Word), headings), "rule %s", r.Word)
	}
	for _, c := range term.Causes() {
		assert.Empty(t, badAdvice(term.AdviceOnCause(c.Word), headings), "cause %s", c.Word)
	}
	assert.Equal(t, term.Advice{}, term.AdviceOnRule("no rule"))
	for _, bad := range []term.Advice{{}, {Text: "x"}, {Text: "x", Heading: "No such part"}, {Why: "x", Heading: "On compatibility"}, {Text: "x", Heading: "On compatibility", Why: "y"}} {
		assert.NotEmpty(t, badAdvice(bad, headings), "%+v", bad)
	}
}

func TestAdviceText(t *testing.T) {
	assert.Equal(t, "Do it. (Changing the API: On compatibility)", term.Advice{Text: "Do it.", Heading: "On compatibility"}.String())
	assert.Empty(t, term.Advice{Why: "nobody can"}.String())
}
