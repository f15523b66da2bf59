package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
)

// WriteChain writes the summary of a chain: its legs, the findings of the whole chain, and
// the verdict last. Options.ReportPath is the chain's directory.
func WriteChain(w io.Writer, v chain.Verdict, opts Options) error {
	s := &summary{opts: opts}
	s.heading("legs")
	for _, leg := range v.Legs {
		s.leg(leg)
	}
	if len(v.Findings) > 0 {
		s.heading("differences between legs")
	}
	for _, f := range v.Findings {
		s.line("  %s", view.Visible(f.Message))
	}
	for _, m := range v.Missing {
		s.line("missing: %s", view.Visible(m.Message))
	}
	for _, message := range v.Unseen {
		s.line("not compared: %s", view.Visible(message))
	}
	for _, release := range v.Uncaught {
		s.line("not caught: %s differs from the correct release, and no leg that runs it shows a difference: the scenario does not use what it changes", view.Visible(release))
	}
	s.heading(fmt.Sprintf("%s  %s, %s, seed %d", s.paint(chainColor(v.Verdict), strings.ToUpper(view.Visible(string(v.Verdict)))), view.Visible(v.Scenario), view.ChainPair(v), v.Seed))
	s.line("  %s", view.Visible(v.Reason))
	if opts.ReportPath != "" {
		s.line("  each leg has its report: %s/legs", view.Visible(opts.ReportPath))
	}
	if _, err := w.Write(s.Bytes()); err != nil {
		return fmt.Errorf("summary: write: %w", err)
	}
	return nil
}

func chainColor(v term.VerdictWord) string {
	return map[term.VerdictWord]string{term.Pass: green, term.Fail: red, term.Impacts: yellow}[v]
}

func (s *summary) leg(leg chain.LegResult) {
	s.line("  %-7s %-20s %3d copies, %3d taken over, %3d findings", view.Visible(string(leg.Verdict)), view.Visible(leg.Directory), leg.Copies, leg.Adopted, leg.Findings)
	if strings.Contains(leg.OldTitle+leg.NewTitle, " ") { // more than the directory's name shows
		s.line("          %s .. %s", view.Visible(leg.OldTitle), view.Visible(leg.NewTitle))
	}
	if leg.Verdict == term.Pass {
		return
	}
	s.line("          %s", view.Visible(leg.Reason))
	for _, message := range leg.Unexpected {
		s.line("          %s", view.Visible(message))
	}
}
