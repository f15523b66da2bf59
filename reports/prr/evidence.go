package prr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// wholePath is the journey that the last question asks for.
var wholePath = [...]term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}

// paths answers which journeys were executed, and how.
func paths(p *document.MarkdownLines, below *document.MarkdownLines, r review) {
	whole := r.tested(func(going []term.Rollout) bool {
		return len(going) >= len(wholePath) && slices.Equal(going[:len(wholePath)], wholePath[:])
	})
	p.Line("Upgrade: %s. Rollback: %s. Upgrade->downgrade->upgrade: %s.",
		r.tested(func(going []term.Rollout) bool { return slices.Contains(going, term.Upgrade) }),
		r.tested(func(going []term.Rollout) bool { return slices.Contains(going, term.Rollback) }), whole)
	if whole == notMeasured {
		p.Line("%s", howAgain)
	}
	for _, m := range r.all {
		below.Line("- %s: %s. %s %s%s", m.name, m.journeyWords(), m.playedWords(), m.skippedWords(), m.unjudged())
	}
}

const notMeasured = "not measured"

// tested reports whether a run that could be judged executed roll-outs as wanted.
func (r review) tested(wanted func([]term.Rollout) bool) string {
	words := notMeasured
	for _, m := range r.all {
		switch {
		case !wanted(m.playedTurns()):
		case m.users == 0:
			words = "played, and " + noUser
		case m.result.Verdict == term.Unknown:
			words = "played, in a run that could not be judged"
		default:
			return "tested"
		}
	}
	return words
}

// playedTurns returns the complete roll-outs, from the first on.
func (m Measured) playedTurns() (going []term.Rollout) {
	for _, t := range m.turns {
		if !t.played || t.halted {
			break
		}
		going = append(going, t.rollout)
	}
	return going
}

// journeyWords says how far the journey came.
func (m Measured) journeyWords() string {
	if len(m.turns) == 0 {
		return "no roll-out was planned"
	}
	var played, left []string
	for _, t := range m.turns {
		name := t.name
		if t.halted {
			name += " (stopped before its last replica, as planned)"
		}
		if t.played && len(left) == 0 {
			played = append(played, name)
		} else {
			left = append(left, t.name)
		}
	}
	words := "played " + strings.Join(played, ", ")
	if len(played) == 0 {
		words = "played no roll-out to its end"
	}
	if len(left) > 0 {
		words += "; not played to the end: " + strings.Join(left, ", ")
	}
	return words + fmt.Sprintf(", with %s", term.Numbered(m.replicas, "replica"))
}

// skippedWords says how much was planned and could not be executed.
func (m Measured) skippedWords() string {
	n := len(m.result.Skipped)
	if n == 0 {
		return "Nothing was skipped."
	}
	reasons := view.SkippedByReason(m.result.Skipped)
	words := fmt.Sprintf("%s could not be run: %s", term.Numbered(n, "combination"), document.ProseOf(reasons[0].Text))
	if len(reasons) > 1 {
		words += fmt.Sprintf(" (%d of them), and %s", reasons[0].Count, term.Numbered(len(reasons)-1, "further reason"))
	}
	return words + "."
}

// evidence lists for each run what it consists of, and how to repeat it.
func evidence(p *document.MarkdownLines, r review, notes []string) {
	p.Line("### How this was measured\n")
	p.Line("By skewsim: real API servers of both releases on one etcd. A run passes when it finds exactly what its scenario expects, losses included.\n")
	for _, note := range notes {
		p.Line("- note: %s", document.ProseOf(note))
	}
	for _, m := range r.all {
		run(p, m)
	}
	if len(r.level) == 0 {
		return
	}
	p.Line("\nLeft out, since both of their releases are the same, so that they show nothing about the change:\n")
	for _, m := range r.level {
		run(p, m)
	}
}

func run(p *document.MarkdownLines, m Measured) {
	res := m.result
	p.Line("- %s: %s %s: %s", m.name, view.Sign(res.Verdict), cmp.Or(string(res.Verdict), "no verdict"), document.ProseOf(cmp.Or(res.Reason, "no reason was given")))
	versions := view.VersionsOf(m.result)
	for _, b := range res.Builds {
		p.Line("  - %s release: %s, %s, sha256 %s%s", b.Role, document.ProseOf(cmp.Or(versions[b.Role], b.Version)), document.CodeSpan(term.Visible(b.Reference)), document.CodeSpan(term.Visible(strings.TrimPrefix(b.Digest, "sha256:"))), m.gatesOf(b))
	}
	for _, c := range res.Checks {
		expected := view.AsExpected(c, res.Findings)
		if expected != "" {
			expected = " (" + expected + ")"
		}
		p.Line("  - check %s: %s %s, judged %d, indeterminate %d, findings %d%s", c.Name, view.Sign(c.Verdict), c.Verdict, c.Judged, c.Indeterminate, c.Findings, expected)
	}
	if t := res.Mutant; t != nil {
		p.Line("  - %s (mutant %s): %s", view.WrongOnPurpose(res), document.CodeSpan(term.Visible(t.Name)), document.ProseOf(t.Message))
	}
	for _, note := range res.Notes {
		p.Line("  - note: %s", document.ProseOf(note))
	}
	p.Line("  - seed %d, skewsim %s", res.Seed, document.CodeSpan(term.Visible(cmp.Or(m.tool, "of unknown version"))))
	if m.command != "" {
		p.Line("  - repeat with %s", document.CodeSpan(m.command))
	} else {
		p.Line("  - it is a leg of a chain, and is repeated with the legs before it")
	}
}

// gatesOf says how a build's servers report the gates that the scenario sets.
func (m Measured) gatesOf(b result.Build) string {
	var words []string
	for _, g := range m.switches {
		state := g.old
		if b.Role == term.New {
			state = g.new
		}
		words = append(words, document.CodeSpan(term.Visible(g.name))+" "+string(state))
	}
	if len(words) == 0 {
		return ", gates as the release has them"
	}
	return ", gates: " + strings.Join(words, ", ")
}
