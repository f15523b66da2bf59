package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/sim/matrix"
)

// emptyShard tells whether a directory is that of a shard that had nothing to play.
func emptyShard(dir string) bool {
	s, err := readState(dir)
	return err == nil && s.Shard != nil && len(s.Cells) == 0
}

// printMatrix prints what only the matrix knows of its cells: what was played more than
// once, what was not, and what is left.
func printMatrix(w io.Writer, m *layout, s matrix.State, took time.Duration) error {
	var lines []string
	for _, c := range s.Cells {
		if len(c.Attempts) > 1 || c.Infrastructure {
			lines = append(lines, fmt.Sprintf("%s %s: %s", c.Pair, c.Scenario, attemptsLine(c)))
		}
	}
	if len(lines) > 0 {
		lines = slices.Insert(lines, 0, "\nplayed more than once, or kept from a verdict by the machine:")
	}
	if _, err := io.WriteString(w, strings.Join(append(lines, ""), "\n  ")); err != nil {
		return err
	}
	if err := printExcluded(w, s.Excluded); err != nil {
		return err
	}
	t := s.Totals
	_, err := fmt.Fprintf(w, "\n%s on %s, %s: %d pass, %d FAIL, %d unknown, %d left; %d not played\n",
		numbered(t.Cells, "cell"), numbered(len(m.journeys), "journey"), clock(took), t.Pass, t.Fail, t.Unknown, t.Left, t.Excluded)
	if err == nil && t.Left > 0 {
		_, err = fmt.Fprintln(w, "with --resume it goes on where it was ended")
	}
	return err
}

// attemptsLine tells of a cell's attempts what each came to.
func attemptsLine(c matrix.Cell) string {
	var parts []string
	for _, a := range c.Attempts {
		switch {
		case a.Infrastructure != "":
			parts = append(parts, a.Infrastructure)
		case a.With > 0:
			parts = append(parts, fmt.Sprintf("%s with %s", a.Outcome, numbered(a.With, "other")))
		default:
			parts = append(parts, a.Outcome)
		}
	}
	return strings.Join(parts, ", then ")
}
