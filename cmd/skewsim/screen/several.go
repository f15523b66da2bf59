package screen

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
)

// Several shows the progress of several runs, and at the end a table of them.
type Several struct {
	w    io.Writer
	dir  string // that has the directories of the runs
	all  int
	done int
	from time.Time
}

// NewSeveral returns what shows a number of runs on a writer. dir is the directory that has
// their directories.
func NewSeveral(w io.Writer, dir string, all int) *Several {
	return &Several{w: w, dir: dir, all: all, from: time.Now()}
}

// Begin prints which scenarios form a shared run.
func (p *Several) Begin(all []campaign.Group) {
	for _, c := range all {
		if len(c) > 1 {
			fmt.Fprintf(p.w, "%d in a shared run, %s: %s\n", len(c), c.Pair(), strings.Join(c.Names(), ", "))
		}
	}
}

// Ended prints the line of a run that has ended. A run that is repeated does not count.
func (p *Several) Ended(e campaign.Ended) {
	width := len(fmt.Sprint(p.all))
	if e.Again {
		fmt.Fprintf(p.w, "%*s  %-7s  %5.1f s  %s: in a shared run; it runs again, alone\n", 2*width+1, "", e.Word(), e.Took.Seconds(), e.Cell.Name())
		return
	}
	p.done++
	fmt.Fprintf(p.w, "%*d/%d  %-7s  %5.1f s  %s\n", width, p.done, p.all, e.Word(), e.Took.Seconds(), p.line(e))
}

// line returns the name of a run, and why it did not pass, or the file that says so.
func (p *Several) line(e campaign.Ended) string {
	name := e.Cell.Name()
	if e.InShared != "" {
		name += ", alone"
	}
	switch text := campaign.FirstLine(e.Err); {
	case e.Word() == matrix.Passed:
		return name
	case text != "":
		return name + ": " + text
	}
	return name + ": see " + filepath.Join(p.dir, e.Cell.Name(), campaign.Transcript)
}

// Table prints how long each run took, the slowest first, and how many ended in which
// outcome. Runs that overlap add up to more than the whole time.
func (p *Several) Table(all []campaign.Ended, groups, atOnce int) error {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b campaign.Ended) int {
		return cmp.Or(cmp.Compare(b.Took, a.Took), cmp.Compare(a.Cell.Name(), b.Cell.Name()))
	})
	table := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nSCENARIO\tSECONDS\t")
	count := map[matrix.Outcome]int{}
	for _, e := range sorted {
		fmt.Fprintf(table, "%s\t%7.1f\t%s\n", e.Cell.Name(), e.Took.Seconds(), inWords(e))
		count[e.Word()]++
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.w, "\n%s on %s, %d at once, %.1f s: %s\n%s", term.Numbered(len(all), "scenario"), term.Counted(groups, "set of servers", "sets of servers"), atOnce,
		time.Since(p.from).Seconds(), counted(count), differing(all))
	return err
}

// inWords returns the outcome of a run, how many runs it shared servers with, and the
// outcome that it had in a shared run before.
func inWords(e campaign.Ended) string {
	switch {
	case e.InShared != "" && e.InShared != e.Word():
		return fmt.Sprintf("%s alone, %s in a shared run", e.Word(), e.InShared)
	case e.InShared != "":
		return string(e.Word()) + " alone and in a shared run"
	case e.With > 0:
		return fmt.Sprintf("%s, with %s", e.Word(), term.Numbered(e.With, "other"))
	}
	return string(e.Word())
}

// differing returns a line with the runs that had another outcome alone than in a shared run:
// the cause is skewsim, or an object that they store.
func differing(all []campaign.Ended) string {
	var names []string
	for _, e := range all {
		if e.InShared != "" && e.Begun && e.InShared != e.Word() {
			names = append(names, e.Cell.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return fmt.Sprintf("another outcome alone than in a shared run: %s. The outcome alone counts; a scenario with isolate: true in its file always runs alone\n",
		strings.Join(names, ", "))
}

// counted returns how many runs ended in which outcome, in words.
func counted(count map[matrix.Outcome]int) string {
	var parts []string
	for _, word := range []matrix.Outcome{matrix.Passed, matrix.Failed, matrix.FoundImpacts, matrix.Unjudged, matrix.Refused, matrix.NotPlayed} {
		if n := count[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return strings.Join(parts, ", ")
}
