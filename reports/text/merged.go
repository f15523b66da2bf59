package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// WriteMerged writes the outcome of several runs for a terminal: those that did not pass,
// failed ones first, the notes, and the verdict last. Options.ReportPath is the page.
func WriteMerged(w io.Writer, m result.Merged, opts Options) error {
	s := &summary{opts: opts}
	for _, verdict := range []term.VerdictWord{term.Fail, term.Impacts, term.Unknown} {
		for _, r := range m.Runs {
			if r.Verdict == verdict {
				s.mergedRun(r)
			}
		}
	}
	for _, note := range m.Notes {
		s.line("note: %s", view.Visible(note))
	}
	s.heading(fmt.Sprintf("%s  %s", s.paint(verdictColor(m.Verdict), strings.ToUpper(string(m.Verdict))), view.Visible(m.Reason)))
	if m.Totals.Skipped > 0 {
		s.line("  %s could not be run", term.Numbered(m.Totals.Skipped, "combination"))
	}
	if opts.ReportPath != "" {
		s.line("  page: %s", opts.ReportPath)
	}
	if _, err := w.Write(s.Bytes()); err != nil {
		return fmt.Errorf("summary: write: %w", err)
	}
	return nil
}

func (s *summary) mergedRun(r result.MergedRun) {
	where := r.Name
	if r.Pair != "" {
		where += ", " + r.Pair
	}
	s.line("%s  %s", s.paint(verdictColor(r.Verdict), fmt.Sprintf("%-7s", r.Verdict)), view.Visible(where))
	s.line("         %s", view.Visible(r.Reason))
}
