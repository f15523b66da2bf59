package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
)

// printMatrix prints what only the matrix knows of its cells: what was played more than
// once, what was not, and what is left. What turned out not to apply a note tells before.
func printMatrix(w io.Writer, s matrix.State, took time.Duration) error {
	if err := printTries(w, s.Cells); err != nil {
		return err
	}
	if err := printExcluded(w, s.Excluded); err != nil {
		return err
	}
	t, journeys := s.Totals, map[int]bool{}
	for _, c := range s.Cells {
		if c.Phase != matrix.Inapt {
			journeys[c.Journey] = true
		}
	}
	_, err := fmt.Fprintf(w, "\n%s on %s, %s: %d pass, %d FAIL, %s%d unknown, %d left; %d not played\n",
		campaign.Numbered(t.Cells, "cell"), campaign.Numbered(len(journeys), "journey"), clock(took), t.Pass, t.Fail, impactsPart(t.Impacts), t.Unknown, t.Left, t.Excluded+t.Inapt)
	if err == nil && t.Left > 0 {
		_, err = fmt.Fprintln(w, "with --resume it goes on where it was ended")
	}
	return err
}

// printTries prints what the machine has ended, and what came to something else alone
// than in company.
func printTries(w io.Writer, cells []matrix.Cell) error {
	lines := []string{"\nended by the machine at least once, which is no verdict:"}
	for _, c := range cells {
		if c.Flaky() || c.Infrastructure {
			lines = append(lines, fmt.Sprintf("  %s %s: %s", c.Pair, c.Scenario, c.AttemptsLine()))
		}
	}
	differ := []string{"\nnot the same alone and in company; what counts is what they came to alone:"}
	for _, c := range cells {
		if differsAlone(c) && !c.Flaky() {
			differ = append(differ, fmt.Sprintf("  %s %s: %s", c.Pair, c.Scenario, c.AttemptsLine()))
		}
	}
	for _, some := range [][]string{lines, differ} {
		if len(some) == 1 {
			continue
		}
		if _, err := fmt.Fprintln(w, strings.Join(some, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// differsAlone tells whether a cell came to something else alone than in company before.
func differsAlone(c matrix.Cell) bool {
	ended := slices.DeleteFunc(slices.Clone(c.Attempts), matrix.Attempt.IsInterrupted)
	n := len(ended)
	return n > 1 && ended[n-1].With == 0 && ended[n-2].With > 0 && ended[n-2].Outcome != c.Outcome
}
