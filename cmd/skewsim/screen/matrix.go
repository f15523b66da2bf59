package screen

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
)

// Matrix prints the cells that ran more than once, those that did not run, and the totals. Of
// cells that do not apply to their builds a note was printed before.
func Matrix(w io.Writer, s matrix.State, took time.Duration) error {
	if err := printTries(w, s.Cells); err != nil {
		return err
	}
	if err := Excluded(w, s.Excluded); err != nil {
		return err
	}
	t, servers := s.Totals, map[int]bool{}
	for _, c := range s.Cells {
		if c.Phase != matrix.NotApplicable {
			servers[c.Journey] = true
		}
	}
	_, err := fmt.Fprintf(w, "\n%s on %s, %s: %d pass, %d FAIL, %s%d unknown, %d left; %d not played\n",
		term.Numbered(t.Cells, "cell"), term.Counted(len(servers), "set of servers", "sets of servers"), clock(took), t.Pass, t.Fail, impactsPart(t.Impacts), t.Unknown, t.Left, t.Excluded+t.NotApplicable)
	if err == nil && t.Left > 0 {
		_, err = fmt.Fprintln(w, "--resume continues it")
	}
	return err
}

// printTries prints the cells that an infrastructure failure has ended, and those that had
// another outcome alone than in a shared run.
func printTries(w io.Writer, cells []matrix.Cell) error {
	lines := []string{"\nended by an infrastructure failure at least once, which is not a verdict:"}
	for _, c := range cells {
		if c.HadInfrastructureFailure() || c.Infrastructure {
			lines = append(lines, fmt.Sprintf("  %s %s: %s", c.Pair, c.Scenario, c.AttemptsLine()))
		}
	}
	differ := []string{"\nanother outcome alone than in a shared run; the outcome alone counts:"}
	for _, c := range cells {
		if differsAlone(c) && !c.HadInfrastructureFailure() {
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

// differsAlone reports whether a cell had another outcome alone than in the shared run before.
func differsAlone(c matrix.Cell) bool {
	ended := slices.DeleteFunc(slices.Clone(c.Attempts), matrix.Attempt.IsInterrupted)
	n := len(ended)
	return n > 1 && ended[n-1].With == 0 && ended[n-2].With > 0 && ended[n-2].Outcome != c.Outcome
}

// Layout prints the cells of a matrix that was not executed, a line for each, then those that
// it excludes.
func Layout(w io.Writer, m *campaign.Layout) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, "PAIR\tSCENARIO\tSERVERS\tSTEPS\tSECONDS")
	total := 0.0
	for _, c := range m.Cells {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%.0f\n", c.Pair, c.Scenario(), c.Journey, c.Run.Steps(), c.Cost)
		total += c.Cost
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s on %s, about %.0f s one after the other\n", term.Numbered(len(m.Cells), "cell"), term.Counted(len(m.Groups), "set of servers", "sets of servers"), total)
	if err == nil {
		err = Excluded(w, m.Excluded)
	}
	return err
}

// Excluded prints the cells that do not run, each with its reason.
func Excluded(w io.Writer, all []matrix.Excluded) error {
	if len(all) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w, "\nnot played:"); err != nil {
		return err
	}
	for _, e := range all {
		if _, err := fmt.Fprintf(w, "  %s\n", e); err != nil {
			return err
		}
	}
	return nil
}
