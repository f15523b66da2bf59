package prr

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// question is a question of the KEP template's "Production Readiness Review Questionnaire",
// word for word.
type question struct {
	part, text string
	// answer writes at most two lines, and their evidence below them.
	answer func(p, below *document.MarkdownLines, r review)
}

const (
	enablement = "Feature Enablement and Rollback"
	planning   = "Rollout, Upgrade and Rollback Planning"
)

// questions are those that runs can answer, in the template's order.
func questions() []question {
	return []question{
		{enablement, "How can this feature be enabled / disabled in a live cluster?", enabled},
		{enablement, "Does enabling the feature change any default behavior?", defaults},
		{enablement, "Can the feature be disabled once it has been enabled (i.e. can we roll back the enablement)?", disabled},
		{enablement, "What happens if we reenable the feature if it was previously rolled back?", reenabled},
		{enablement, "Are there any tests for feature enablement/disablement?", switchTests},
		{planning, "How can a rollout or rollback fail? Can it impact already running workloads?", failures},
		{planning, "Were upgrade and rollback tested? Was the upgrade->downgrade->upgrade path tested?", paths},
	}
}

// review is the runs: those that switch a gate, those in which only one release knows it,
// and the others. Level ones run one release, with the same options, as both: they answer
// nothing.
type review struct {
	all, gated, brought, ungated, level []Measured
}

// others returns the runs that switch no gate.
func (r review) others() []Measured { return slices.Concat(r.brought, r.ungated) }

// Write writes answers to the questions of a KEP's production readiness review, to be
// pasted there, from what runs measured. Each claim names its run; for what no run
// measured, the answer says so, and what would measure it. The order of the runs does not
// matter, unless runs are equal. Notes, such as about duplicates, are where the runs are
// described.
func Write(w io.Writer, runs []Measured, notes ...string) error {
	r := reviewOf(runs)
	p := &document.MarkdownLines{}
	part := ""
	for _, q := range questions() {
		if q.part != part {
			part = q.part
			p.Line("### %s\n", part)
		}
		p.Line("###### %s\n", q.text)
		if len(r.all) == 0 {
			unmeasured(p, "no run played two releases, or two settings of one", "To measure it, run the scenario on a pair, without `--aa`.")
		} else {
			below := &document.MarkdownLines{}
			q.answer(p, below, r)
			renderBelow(p, below)
		}
		p.Line("")
	}
	evidence(p, r, notes)
	if _, err := w.Write(p.Bytes()); err != nil {
		return fmt.Errorf("prr: write: %w", err)
	}
	return nil
}

// renderBelow folds away the evidence of an answer.
func renderBelow(p *document.MarkdownLines, details *document.MarkdownLines) {
	if details.Len() > 0 {
		p.Line("\n<details><summary>Details</summary>\n\n%s\n</details>", details.String())
	}
}

// reviewOf sorts the runs as merged ones are, and names them as a merged page does.
func reviewOf(runs []Measured) (r review) {
	byPlace := map[string]Measured{}
	alike := map[string]int{}
	var sources []result.Source
	for i, m := range runs {
		place := strconv.Itoa(i)
		byPlace[place] = m
		called := fmt.Sprintf("%q %q %d", m.result.FullName(), m.result.Pair(), m.result.Seed)
		alike[called]++
		sources = append(sources, result.Source{Path: fmt.Sprintf("run %d", alike[called]), Report: place, Result: m.result})
	}
	for _, merged := range result.Merge(sources).Runs {
		m := byPlace[merged.Report]
		m.name = document.CodeSpan(term.Visible(merged.Name)) + " (" + document.ProseOf(merged.Pair) + ")"
		if m.result.Mutant != nil {
			m.name += ", wrong on purpose"
		}
		r.add(m)
	}
	return r
}

func (r *review) add(m Measured) {
	switch {
	case m.level():
		r.level = append(r.level, m)
		return
	case len(m.toggles()) > 0:
		r.gated = append(r.gated, m)
	case len(m.gates()) > 0:
		r.brought = append(r.brought, m)
	default:
		r.ungated = append(r.ungated, m)
	}
	r.all = append(r.all, m)
}

const (
	howGated = "To measure it, play a scenario whose releases differ in the gate: `old: {featureGates: {NAME: false}}`, `new: {featureGates: {NAME: true}}`."
	howAgain = "To measure it, play a scenario with `journey: [upgrade, rollback, upgrade]`, which is the default."
)

// unmeasured says that no run measured something, why, and what would.
func unmeasured(p *document.MarkdownLines, why, how string) { p.Line("Not measured: %s. %s", why, how) }

// enabled answers how the feature is switched.
func enabled(p *document.MarkdownLines, below *document.MarkdownLines, r review) {
	runs := slices.Concat(r.gated, r.brought)
	if len(runs) == 0 {
		unmeasured(p, "no run switched a feature gate; the releases had the same gates on, as far as the scenarios set them", howGated)
		return
	}
	var told []string
	for _, m := range runs {
		for _, g := range m.gates() {
			entry := fmt.Sprintf("- [x] Feature gate (also fill in values in `kep.yaml`)\n  - Feature gate name: %s\n  - Components depending on the feature gate: %s (others were not played)",
				document.CodeSpan(term.Visible(g.name)), m.component())
			if !slices.Contains(told, entry) {
				told = append(told, entry)
			}
		}
	}
	p.Line("%s", strings.Join(told, "\n"))
	for _, m := range runs {
		below.Line("- %s: %s. %s%s", m.name, m.gateWords(), m.howMoved(), m.unjudged())
	}
}

// howMoved says how a roll-out was executed.
func (m Measured) howMoved() string {
	if len(m.playedTurns()) == 0 && m.played.mixed == 0 {
		return "No roll-out was played to its end."
	}
	if m.replicas < 2 {
		return "Its one replica was replaced, on one etcd."
	}
	return fmt.Sprintf("Its %d replicas, on one etcd, were replaced one at a time, with both settings serving in between.", m.replicas)
}

// gateWords says what servers report about the gates that are switched.
func (m Measured) gateWords() string {
	var words []string
	for _, g := range m.gates() {
		words = append(words, fmt.Sprintf("%s is %s in the old release and %s in the new one", document.CodeSpan(term.Visible(g.name)), g.old, g.new))
	}
	return strings.Join(words, "; ")
}

// component names the component of the runs.
func (m Measured) component() string {
	for _, b := range m.result.Builds {
		if name, _, ok := strings.Cut(b.Reference, "@"); ok {
			return document.CodeSpan(term.Visible(name))
		}
	}
	return "the API server"
}

// defaults answers whether users who do not use the feature notice it.
func defaults(p *document.MarkdownLines, below *document.MarkdownLines, r review) {
	const well = "no difference was found"
	part := func(runs []Measured) string {
		var n claims
		for _, m := range runs {
			n.add(checked(below, m, well, term.CheckRule1, term.CheckRule2, term.CheckRule6))
		}
		words := "for calls and objects that do not use the change, " + n.words(well)
		if n.harmed = len(n.broken) > 0; n.findings > 0 && !n.harmed {
			return words
		}
		return n.decided(words, "yes", "no")
	}
	switch {
	case len(r.gated) == 0:
		p.Line("Not measured of a gate: %s. Measured of the upgrade to the new release:\n%s.", r.whyNot("switched one"), view.Capitalized(part(r.others())))
	case len(r.brought) == 0:
		p.Line("%s.", view.Capitalized(part(r.gated)))
	default:
		p.Line("Of switching the gate: %s.\nOf upgrading from a release that does not know it: %s.", part(r.gated), part(r.brought))
	}
}

// disabled answers what happens to stored values when the feature is switched off.
func disabled(p *document.MarkdownLines, below *document.MarkdownLines, r review) {
	turned(p, below, r, turning{
		wanted:   func(off, _ []string) []string { return off },
		never:    "no run went back from a release with the feature to one without it",
		missing:  "its journey does not lead back",
		switched: "switched one off again", done: "off", instead: "going back to the old release", without: "going back to a release that does not know it",
		kept: func(comebacks) string {
			return "nothing that was acknowledged was lost, and everything stored could be read and written"
		},
		keeps:   func(m Measured, _ []string, found []result.Finding) string { return m.keeps(found) },
		creates: true,
		isYesNo: true,
		checks:  []term.CheckName{term.CheckNothingLost, term.CheckEverythingDecodes, term.CheckStaysWritable},
	})
}

// reenabled answers what returns with the feature, and what stayed.
func reenabled(p *document.MarkdownLines, below *document.MarkdownLines, r review) {
	turned(p, below, r, turning{
		wanted:   func(_, again []string) []string { return again },
		never:    "no run reached a release with the feature again after one without it",
		missing:  "its journey does not lead there again",
		switched: "switched one on again", done: "on again", instead: "upgrading again after a rollback", without: "upgrading again from a release that does not know it",
		kept:    comebacks.words,
		keeps:   func(m Measured, off []string, found []result.Finding) string { return m.stillServes(off[0], found) },
		returns: true,
		checks:  []term.CheckName{term.CheckResurrection, term.CheckNothingLost, term.CheckEverythingDecodes, term.CheckStaysWritable},
	})
}

// whyNot says why no gate was switched: a binary that does not know a gate is replaced.
func (r review) whyNot(switched string) string {
	var words []string
	for _, m := range r.brought {
		for _, g := range m.gates() {
			text := fmt.Sprintf("%s does not know %s, so nothing was switched", document.ProseOf(m.without(g)), document.CodeSpan(term.Visible(g.name)))
			if m.fieldless && g.toggled() {
				text = fmt.Sprintf("%s knows %s and not its field: going back replaces the binary, and switches nothing", document.ProseOf(m.without(g)), document.CodeSpan(term.Visible(g.name)))
			}
			if !slices.Contains(words, text) {
				words = append(words, text)
			}
		}
	}
	if len(words) == 0 || len(r.gated) > 0 {
		return "no run " + switched
	}
	return strings.Join(words, ", and ")
}

// without returns the release that does not have a gate on.
func (m Measured) without(g gateSwitch) string {
	return cmp.Or(view.VersionsOf(m.result)[g.on().Other()], "one release")
}

func (f feature) names() string {
	var names []string
	for _, g := range f.gates {
		names = append(names, document.CodeSpan(term.Visible(g.name)))
	}
	return strings.Join(names, ", ")
}

// switchTests answers which tests exist.
func switchTests(p *document.MarkdownLines, below *document.MarkdownLines, r review) {
	if len(r.gated) == 0 {
		unmeasured(p, r.whyNot("switched a feature gate"), howGated)
		return
	}
	tests, brought := using(r.gated), using(r.brought)
	if len(tests) == 0 {
		unmeasured(p, fmt.Sprintf("%s, and %s", claims{runs: len(r.gated)}.runWords("switches the gate", "switch the gate"), noUser), howUsed)
	} else {
		p.Line("%s on real servers; the commands that repeat them stand at the end.", claims{runs: len(tests)}.runWords("switches the gate", "switch the gate"))
	}
	if len(brought) > 0 {
		p.Line("%s that does not know it, and so switches nothing.", claims{runs: len(brought)}.runWords("replaces a release", "replace a release"))
	}
	for _, m := range slices.Concat(r.gated, r.brought) {
		below.Line("- %s: %s. %s%s%s", m.name, m.gateWords(), m.playedWords(), m.unused(), m.unjudged())
	}
}
