package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// wholePath is the journey that the last question asks for.
var wholePath = [...]term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}

// paths answers which journeys were played, and how.
func (p *page) paths(below *page, r review) {
	whole := r.tested(func(going []term.Rollout) bool {
		return len(going) >= len(wholePath) && slices.Equal(going[:len(wholePath)], wholePath[:])
	})
	p.line("Upgrade: %s. Rollback: %s. Upgrade->downgrade->upgrade: %s.",
		r.tested(func(going []term.Rollout) bool { return slices.Contains(going, term.Upgrade) }),
		r.tested(func(going []term.Rollout) bool { return slices.Contains(going, term.Rollback) }), whole)
	if whole == notMeasured {
		p.line("%s", howAgain)
	}
	for _, m := range r.all {
		below.line("- %s: %s. %s %s%s", m.name, m.journeyWords(), m.playedWords(), m.skippedWords(), m.unjudged())
	}
}

const notMeasured = "not measured"

// tested tells whether a run that could be judged played roll-outs as wanted.
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

// playedTurns are the roll-outs that were played to their end, from the first on.
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
	return words + fmt.Sprintf(", with %s", plural(m.replicas, "replica"))
}

// skippedWords says how much was planned and could not be played.
func (m Measured) skippedWords() string {
	n := len(m.result.Skipped)
	if n == 0 {
		return "Nothing was skipped."
	}
	reasons := skippedByReason(m.result.Skipped)
	words := fmt.Sprintf("%s could not be played: %s", plural(n, "combination"), prose(reasons[0].Text))
	if len(reasons) > 1 {
		words += fmt.Sprintf(" (%d of them), and %s", reasons[0].Count, plural(len(reasons)-1, "further reason"))
	}
	return words + "."
}

// evidence tells of each run what it was made of, and how to repeat it.
func (p *page) evidence(r review, notes []string) {
	p.line("### How this was measured\n")
	p.line("By skewsim: real API servers of both releases on one etcd. A run passes when it finds exactly what its scenario expects, losses included.\n")
	for _, note := range notes {
		p.line("- note: %s", prose(note))
	}
	for _, m := range r.all {
		p.run(m)
	}
	if len(r.level) == 0 {
		return
	}
	p.line("\nNot asked, since they play one release at both ends, and so show what is not the change's doing:\n")
	for _, m := range r.level {
		p.run(m)
	}
}

func (p *page) run(m Measured) {
	res := m.result
	p.line("- %s: %s %s: %s", m.name, sign(res.Verdict), firstOf(string(res.Verdict), "no verdict"), prose(firstOf(res.Reason, "no reason was given")))
	versions := roleVersions(m)
	for _, b := range res.Builds {
		p.line("  - %s release: %s, %s, sha256 %s%s", b.Role, prose(firstOf(versions[b.Role], b.Version)), code(visible(b.Reference)), code(visible(strings.TrimPrefix(b.Digest, "sha256:"))), m.gatesOf(b))
	}
	for _, c := range res.Checks {
		p.line("  - check %s: %s %s, judged %d, indeterminate %d, findings %d", c.Name, sign(c.Verdict), c.Verdict, c.Judged, c.Untold, c.Findings)
	}
	if t := res.Twin; t != nil {
		p.line("  - %s (twin %s): %s", wrongOnPurpose(res), code(visible(t.Name)), prose(t.Message))
	}
	for _, note := range res.Notes {
		p.line("  - note: %s", prose(note))
	}
	p.line("  - seed %d, skewsim %s", res.Seed, code(visible(firstOf(m.tool, "of unknown version"))))
	if m.command != "" {
		p.line("  - repeat with %s", code(m.command))
	} else {
		p.line("  - it is a leg of a chain, and is repeated with the legs before it")
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
		words = append(words, code(visible(g.name))+" "+string(state))
	}
	if len(words) == 0 {
		return ", gates as the release has them"
	}
	return ", gates: " + strings.Join(words, ", ")
}

// roleVersions are what each release calls itself.
func roleVersions(m Measured) map[term.Role]string {
	versions := map[term.Role]string{}
	for i, role := range []term.Role{term.Old, term.New} {
		if i < len(m.result.Releases) {
			versions[role] = m.result.Releases[i]
		}
	}
	return versions
}
