package markdown

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// The limits of the parts of a merged report.md, in bytes: together less than a comment
// holds, as those of a run's.
const (
	roomNotPassed   = 24_000
	roomPairs       = 12_000
	roomPassed      = 12_000
	roomTried       = 4_000
	roomMergedNotes = 3_000
)

// morePage is the end of a list that leaves something out.
const morePage = "- and %d more, in index.html"

// WriteMerged writes the outcome of several runs for the summary of a CI job, or a comment
// on a pull request: the runs that did not pass, failed ones first, the pairs, and the runs
// that passed, folded away. It has no links, since there is no page beside a comment.
func WriteMerged(w io.Writer, m result.Merged) error {
	p := &Document{}
	p.Line("### %s %s: %s", view.Sign(m.Verdict), m.Verdict, BriefProse(m.Reason, briefSentence))
	if m.Totals.Skipped > 0 {
		p.Line("\n%s could not be run", term.Numbered(m.Totals.Skipped, "combination"))
	}
	p.notPassed(m.Runs)
	p.tried(view.TriedRuns(m.Runs))
	p.pairs(m.Runs)
	p.passed(m.Runs)
	if len(m.Notes) > 0 {
		p.Line("")
		p.List(roomMergedNotes, len(m.Notes), func(i int) string { return "- " + BriefProse(m.Notes[i], briefSentence) }, morePage)
	}
	if _, err := w.Write(p.Bytes()); err != nil {
		return fmt.Errorf("report.md: write: %w", err)
	}
	return nil
}

// notPassed lists the runs that failed, those that found impacts only, and then those that
// could not be judged.
func (p *Document) notPassed(runs []result.MergedRun) {
	for _, verdict := range []term.VerdictWord{term.Fail, term.Impacts, term.Unknown} {
		of := runsOf(runs, verdict)
		if len(of) == 0 {
			continue
		}
		p.Line("\n#### %s %s: %d\n", view.Sign(verdict), verdict, len(of))
		p.List(roomNotPassed/3, len(of), func(i int) string {
			return fmt.Sprintf("- %s: %s", runName(of[i]), BriefProse(of[i].Reason, briefSentence))
		}, morePage)
	}
}

// tried lists the runs that an infrastructure failure ended at least once, whatever their outcome.
func (p *Document) tried(of []result.MergedRun) {
	if len(of) == 0 {
		return
	}
	p.Line("\n#### Ended by the machine at least once, which is no verdict: %d\n", len(of))
	p.List(roomTried, len(of), func(i int) string {
		return fmt.Sprintf("- %s: %s", runName(of[i]), BriefProse(of[i].Tried, briefSentence))
	}, morePage)
}

// pairs writes a table with a row for each pair.
func (p *Document) pairs(runs []result.MergedRun) {
	type count map[term.VerdictWord]int
	var pairs []string
	counts := map[string]count{}
	for _, r := range runs {
		if r.Pair == "" {
			continue
		}
		name := strings.TrimSpace(r.Component + " " + r.Pair)
		if counts[name] == nil {
			pairs, counts[name] = append(pairs, name), count{}
		}
		counts[name][r.Verdict]++
	}
	if len(pairs) == 0 {
		return
	}
	verdicts := []term.VerdictWord{term.Pass, term.Fail, term.Unknown}
	if len(runsOf(runs, term.Impacts)) > 0 {
		verdicts = slices.Insert(verdicts, 2, term.Impacts)
	}
	p.Line("\n| pair | %s |", strings.Trim(strings.ReplaceAll(fmt.Sprint(verdicts), " ", " | "), "[]"))
	p.Line("| ---%s |", strings.Repeat(" | ---:", len(verdicts)))
	p.List(roomPairs, len(pairs), func(i int) string {
		n := counts[pairs[i]]
		row := "| " + Cell(view.Brief(view.Visible(pairs[i]), briefSentence))
		for _, v := range verdicts {
			row += fmt.Sprintf(" | %d", n[v])
		}
		return row + " |"
	}, "| and %d more"+strings.Repeat(" |", len(verdicts)+1))
}

// passed lists the runs that passed, folded away.
func (p *Document) passed(runs []result.MergedRun) {
	of := runsOf(runs, term.Pass)
	if len(of) == 0 {
		return
	}
	p.Line("\n<details><summary>Passed: %d</summary>\n", len(of))
	p.List(roomPassed, len(of), func(i int) string {
		r := of[i]
		return fmt.Sprintf("- %s: expected findings: %d, not played: %d", runName(r), r.Findings.Expected, r.Skipped)
	}, morePage)
	p.Line("\n</details>")
}

func runsOf(runs []result.MergedRun, verdict term.VerdictWord) (all []result.MergedRun) {
	for _, r := range runs {
		if r.Verdict == verdict {
			all = append(all, r)
		}
	}
	return all
}

// runName is the run as a list has it: its name and its pair.
func runName(r result.MergedRun) string {
	name := BriefProse(r.Name, 2*briefName)
	if r.Pair == "" {
		return name
	}
	return name + ", " + BriefProse(r.Pair, 2*briefName)
}
