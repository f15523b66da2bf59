package view

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
)

// ChainPair returns the chain's releases in words.
func ChainPair(v chain.Verdict) string {
	way := fmt.Sprintf("%s .. %s", term.Visible(v.Releases[0]), term.Visible(v.Releases[len(v.Releases)-1]))
	if v.Forward {
		return fmt.Sprintf("%s, %d legs forward", way, v.Planned)
	}
	return fmt.Sprintf("%s and back, %d legs", way, v.Planned)
}

// Journey returns the roll-outs in order.
func Journey(legs []term.Rollout) string {
	words := make([]string, len(legs))
	for i, leg := range legs {
		words[i] = string(leg)
	}
	return strings.Join(words, " → ")
}

// Sign returns a verdict's shape.
func Sign(v term.VerdictWord) string {
	switch v {
	case term.Pass:
		return "✓"
	case term.Fail:
		return "✗"
	case term.Impacts:
		return "!"
	case term.NotApplicable:
		return "–"
	}
	return "?"
}

// AsSentence returns a clause as a sentence.
func AsSentence(clause string) string { return Capitalized(strings.TrimSuffix(clause, ".")) + "." }

// WrongOnPurpose returns which releases the run's mutant replaced, as the subject of a
// sentence. Their references end in the mutant's name.
func WrongOnPurpose(res result.Result) string {
	wrong := map[term.Role]bool{}
	for _, b := range res.Builds {
		wrong[b.Role] = res.Mutant != nil && strings.HasSuffix(b.Reference, "+"+res.Mutant.Name)
	}
	switch {
	case wrong[term.Old] && wrong[term.New]:
		return "both releases are wrong on purpose"
	case wrong[term.Old]:
		return "the old release is wrong on purpose"
	case wrong[term.New]:
		return "the new release is wrong on purpose"
	}
	return "a release is wrong on purpose"
}

// Capitalized begins a sentence with a capital letter.
func Capitalized(text string) string {
	if text == "" || len(text) > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9' { // a version
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
