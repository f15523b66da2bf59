package prr

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// checked describes what some checks found over a whole run, and what other checks report that breaks their rules.
func checked(p *document.MarkdownLines, m Measured, well string, checks ...term.CheckName) claims {
	ofRules := func(f result.Finding) bool {
		return slices.Contains(checks, f.Check) || f.Class == term.Violation && slices.Contains(checks, term.CheckName(f.Rule))
	}
	return claim(p, m, "", well, comebacks{}, view.Select(m.result.Findings, ofRules), checks)
}

// claim says that all is well only if nothing was found, and each of the checks judged
// something and left nothing indeterminate. Values that came back are reported in any case.
func claim(p *document.MarkdownLines, m Measured, what, well string, back comebacks, found []result.Finding, checks []term.CheckName) claims {
	var told []string
	doubt := false
	for _, name := range checks {
		words, sure := m.checkWords(name)
		told = append(told, words)
		doubt = doubt || !sure
	}
	kinds := kindsOf(m, found)
	switch {
	case len(found) > 0:
		well = fmt.Sprintf("%s in %s", term.Numbered(len(found), "finding"), term.Numbered(len(kinds), "kind")) + back.besides()
	case doubt:
		well = "nothing was found, and not everything could be decided" + back.besides()
	}
	p.Line("- %s: %s%s (%s).%s", m.name, what, well, strings.Join(told, "; "), m.unjudged())
	findingKinds(p, kinds)
	return claimsOf(m, found, doubt, back)
}

// claimsOf sums up what was found in a run.
func claimsOf(m Measured, found []result.Finding, doubt bool, back comebacks) claims {
	broken := view.Select(found, func(f result.Finding) bool { return f.Class == term.Violation })
	n := claims{runs: 1, findings: len(found), doubt: doubt || m.unjudged() != "", back: back, outcomes: m.outcomesOf(found)}
	n.harmed = slices.ContainsFunc(broken, func(f result.Finding) bool { return !view.IsServedDefault(f) })
	n.breaks(broken)
	return n
}

// claims sums up the answers of runs to a question.
type claims struct {
	runs, findings int
	broken         []result.Finding // see breaks
	harmed         bool             // violations that are more than a default that is served
	doubt          bool             // not every fact could be decided
	back           comebacks
	// outcomes are what the findings are, each once, and keeps what they leave as it was, if any.
	outcomes []string
	keeps    string
}

func (n *claims) add(other claims) {
	if n.runs == 0 {
		n.keeps = other.keeps
	} else if n.keeps != other.keeps {
		n.keeps = "" // not in each run
	}
	n.harmed = n.harmed || other.harmed
	n.runs, n.findings, n.doubt = n.runs+other.runs, n.findings+other.findings, n.doubt || other.doubt
	for _, text := range other.outcomes {
		if !slices.Contains(n.outcomes, text) {
			n.outcomes = append(n.outcomes, text)
		}
	}
	n.breaks(other.broken)
	n.back.add(other.back)
}

// breaks adds violations, one for each rule that they break and for whether that is expected.
func (n *claims) breaks(violations []result.Finding) {
	for _, f := range violations {
		same := func(known result.Finding) bool { return known.Rule == f.Rule && known.Expected == f.Expected }
		if !slices.ContainsFunc(n.broken, same) {
			n.broken = append(n.broken, f)
		}
	}
}

// sentence says what the findings are: what stays, then each outcome.
func (n claims) sentence() string {
	parts := slices.Clone(n.outcomes[:min(len(n.outcomes), maxOutcomes)])
	if n.keeps != "" {
		parts = append([]string{n.keeps}, parts...)
	}
	if more := len(n.outcomes) - maxOutcomes; more > 0 {
		parts = append(parts, "and "+term.Numbered(more, "more outcome"))
	}
	if len(n.broken) > 0 {
		parts = append(parts, result.RulesBroken(n.broken))
	}
	return strings.Join(parts, "; ")
}

// words returns the sum as a clause; well is the clause if nothing was found.
func (n claims) words(well string) string {
	in := " in " + term.Numbered(n.runs, "run")
	switch {
	case n.runs == 0:
		return "nothing was measured"
	case n.findings > 0:
		well = n.sentence()
		if n.doubt {
			well += "; not everything could be decided"
		}
		return well + n.back.besides()
	case n.doubt:
		return "nothing was found" + in + ", and not everything could be decided" + n.back.besides()
	}
	return well + in
}

// decided answers with yes or no first, where that was measured: what was found decides even if more could not be
// judged, and that nothing was found only if everything was.
func (n claims) decided(words, ifHarmed, ifWell string) string {
	switch {
	case n.harmed:
		return ifHarmed + ". " + view.Capitalized(words)
	case n.runs == 0 || n.doubt:
		return words
	}
	return ifWell + ". " + view.Capitalized(words)
}

// runWords says what so many runs do.
func (n claims) runWords(one, several string) string {
	if n.runs == 1 {
		return "1 run " + one
	}
	return fmt.Sprintf("%d runs %s", n.runs, several)
}

// checkWords returns what a check found over the whole run, and whether it could decide
// every fact.
func (m Measured) checkWords(name term.CheckName) (words string, sure bool) {
	c, there := m.check(name)
	switch {
	case !there:
		return fmt.Sprintf("`%s` had nothing to judge in this run", name), false
	case c.Verdict == term.Unknown:
		return fmt.Sprintf("`%s` is unknown: %s", name, document.ProseOf(cmp.Or(c.Reason, "nothing was judged"))), false
	case c.Indeterminate > 0:
		return fmt.Sprintf("`%s` judged %d in the whole run, and could not tell %d", name, c.Judged, c.Indeterminate), false
	}
	return fmt.Sprintf("`%s` judged %d in the whole run", name, c.Judged), c.Judged > 0
}

// unjudged warns about a run that could not be judged.
func (m Measured) unjudged() string {
	if m.result.Verdict != term.Unknown {
		return ""
	}
	return " The run as a whole is unknown: " + document.ProseOf(cmp.Or(m.result.Reason, "no reason was given")) + "."
}

// tellsAlike is what findings share that one sentence of an answer describes.
type tellsAlike struct {
	class    term.Class
	state    term.Outcome
	cause    term.Cause
	check    term.CheckName
	rule     term.Rule
	path     string
	expected bool
}

// findingKind is a group of findings of a run that one sentence describes.
type findingKind struct {
	tellsAlike
	count  int
	copies map[string]bool
	turns  []string
	first  result.Finding
}

// kindsOf groups findings, in the order of the page: see worstFirst.
func kindsOf(m Measured, findings []result.Finding) []*findingKind {
	at := map[tellsAlike]*findingKind{}
	var all []*findingKind
	for _, f := range view.WorstFirst(findings) {
		alike := tellsAlike{f.Class, f.Outcome, f.Cause, f.Check, f.Rule, f.Path, f.Expected}
		kind := at[alike]
		if kind == nil {
			kind = &findingKind{tellsAlike: alike, first: f, copies: map[string]bool{}}
			at[alike] = kind
			all = append(all, kind)
		}
		kind.count++
		kind.copies[f.Copy] = true
		if turn := cmp.Or(m.phases[f.Stage], "before any roll-out"); !slices.Contains(kind.turns, turn) {
			kind.turns = append(kind.turns, turn)
		}
	}
	return all
}

// maxKinds is how many kinds of findings an answer lists for each run.
const maxKinds = 12

// maxQuoted is how many characters of a finding's sentence an answer quotes.
const maxQuoted = 700

// findingKinds lists findings in short, each kind with the sentence of its first.
func findingKinds(p *document.MarkdownLines, all []*findingKind) {
	for i, kind := range all {
		if i == maxKinds {
			p.Line("  - and %s more, in the run's report", term.Numbered(len(all)-maxKinds, "kind"))
			return
		}
		p.Line("  - %s", kind.words())
	}
}

// words describes a kind in a sentence.
func (k *findingKind) words() string {
	known := "not expected by the scenario"
	if k.expected {
		known = "as the scenario expects"
	}
	where := "on " + term.Numbered(len(k.copies), "object")
	if k.path != "" {
		where = document.ProseOf(k.path) + " " + where
	}
	why := ""
	if k.cause != "" && k.cause != term.Unattributed {
		why = ", " + string(k.cause)
	}
	return fmt.Sprintf("%d × **%s**, %s%s (%s under %s, %s; %s). First: %s", k.count, k.state, where, why,
		cmp.Or(string(k.class), "difference"), cmp.Or(string(k.rule), "no rule"), known, inTurns(k.turns), document.ProseOf(document.Brief(k.first.Message, maxQuoted)))
}

// inTurns names roll-outs within a sentence.
func inTurns(turns []string) string {
	words := make([]string, len(turns))
	for i, turn := range turns {
		words[i] = turn
		if !strings.HasPrefix(turn, "before") {
			words[i] = "in the " + turn
		}
	}
	return strings.Join(words, " and ")
}

// failures answers what goes wrong during roll-outs, over all runs.
func failures(p *document.MarkdownLines, below *document.MarkdownLines, r review) {
	const played = "Not measured: running workloads (Pods, kubelets, controllers) and metrics, since only API servers and etcd ran; the answers are about stored objects."
	lead := failuresOf(below, r).words("no failure was found")
	if len(using(r.all)) == 0 {
		lead += "; " + noUser
	}
	p.Line("%s.\n%s", view.Capitalized(lead), played)
}

// failuresOf lists for each run what went wrong.
func failuresOf(p *document.MarkdownLines, r review) (sum claims) {
	for _, m := range r.all {
		found := m.result.Findings
		sum.add(claimsOf(m, found, false, comebacks{}))
		if m.result.Answer != "" {
			p.Line("- %s: %s", m.name, document.ProseOf(view.AsSentence(m.result.Answer)))
		}
		switch {
		case len(found) > 0:
			broken := view.Select(found, func(f result.Finding) bool { return f.Class == term.Violation })
			p.Line("- %s: %s, of which %s.%s", m.name, term.Numbered(len(found), "finding"), term.Counted(len(broken), "breaks a rule", "break a rule"), m.unjudged())
		case m.result.Verdict == term.Unknown:
			p.Line("- %s: nothing was found, which says little:%s", m.name, m.unjudged())
		default:
			p.Line("- %s: no failure was found.%s", m.name, m.unused())
		}
		findingKinds(p, kindsOf(m, found))
		for _, e := range m.died {
			p.Line("  - the server of replica %s ended by itself in step %d: %s", document.CodeSpan(term.Visible(e.Replica)), e.Step, document.ProseOf(cmp.Or(e.Message, "it said nothing")))
		}
		p.Line("  - %s", m.endWords())
	}
	return sum
}

// endWords says in which states the acknowledged values ended.
func (m Measured) endWords() string {
	total := 0
	for _, n := range m.ends {
		total += n
	}
	if total == 0 {
		return "no value was acknowledged"
	}
	var parts []string
	for _, e := range term.Outcomes() {
		if n := m.ends[e.Word]; n > 0 && e.Word != term.Kept {
			parts = append(parts, fmt.Sprintf("%d %s", n, string(e.Word)))
		}
	}
	words := fmt.Sprintf("of %d acknowledged values %d are served as acknowledged at the run's end", total, m.ends[term.Kept])
	if len(parts) > 0 {
		words += ", " + strings.Join(parts, ", ")
	}
	return words
}

// playedWords counts what was executed.
func (m Measured) playedWords() string {
	if m.played.all == 0 {
		return "No operation was played."
	}
	return fmt.Sprintf("%d operations were played, %d of them while both releases served: %s; by %s.", m.played.all, m.played.mixed,
		counts(m.played.verbs), counts(m.played.clients))
}

// counts writes words with how often each was executed, by word.
func counts[W ~string](n map[W]int) string {
	var parts []string
	for _, word := range slices.Sorted(maps.Keys(n)) {
		parts = append(parts, fmt.Sprintf("%s %d", cmp.Or(string(word), "unnamed"), n[word]))
	}
	return strings.Join(parts, ", ")
}
