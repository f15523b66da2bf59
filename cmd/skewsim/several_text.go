package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
)

// progress tells how several runs get on.
type progress struct {
	w    io.Writer
	dir  string // that theirs are in
	all  int
	done int
	from time.Time
}

// begin prints which scenarios share a journey.
func (p *progress) begin(all []campaign.Group) {
	for _, c := range all {
		if len(c) > 1 {
			fmt.Fprintf(p.w, "%d on one journey, %s: %s\n", len(c), c.Pair(), strings.Join(c.Names(), ", "))
		}
	}
}

// tell prints the line of a run that has ended. One that is played again is not done.
func (p *progress) tell(e campaign.Ended) {
	width := len(fmt.Sprint(p.all))
	if e.Again {
		fmt.Fprintf(p.w, "%*s  %-7s  %5.1f s  %s: in company; it is played again, alone\n", 2*width+1, "", e.Word(), e.Took.Seconds(), e.Cell.Name())
		return
	}
	p.done++
	fmt.Fprintf(p.w, "%*d/%d  %-7s  %5.1f s  %s\n", width, p.done, p.all, e.Word(), e.Took.Seconds(), p.line(e))
}

// line names a run, and where it did not pass says why, or where to read it.
func (p *progress) line(e campaign.Ended) string {
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

// table prints how long each run took, the slowest first, and what they all came to.
// Side by side they add up to more than the whole.
func (p *progress) table(all []campaign.Ended, journeys, atOnce int) error {
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
	_, err := fmt.Fprintf(p.w, "\n%s on %s, %d at once, %.1f s: %s\n%s", campaign.Numbered(len(all), "scenario"), campaign.Numbered(journeys, "journey"), atOnce,
		time.Since(p.from).Seconds(), counted(count), differing(all))
	return err
}

// inWords is what came of a run, with whom it shared its journey, and what it had come
// to in company.
func inWords(e campaign.Ended) string {
	switch {
	case e.InShared != "" && e.InShared != e.Word():
		return fmt.Sprintf("%s alone, %s in company", e.Word(), e.InShared)
	case e.InShared != "":
		return string(e.Word()) + " alone and in company"
	case e.With > 0:
		return fmt.Sprintf("%s, with %s", e.Word(), campaign.Numbered(e.With, "other"))
	}
	return string(e.Word())
}

// differing says which runs came to something else alone than in company: that is
// skewsim's doing, or that of what they store.
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
	return fmt.Sprintf("alone and in company not the same: %s. What counts is what they came to alone; with isolate: true in its file a scenario goes alone at once\n",
		strings.Join(names, ", "))
}

// counted is how many came to what, in words.
func counted(count map[matrix.Outcome]int) string {
	var parts []string
	for _, word := range []matrix.Outcome{matrix.Passed, matrix.Failed, matrix.FoundImpacts, matrix.Unjudged, matrix.Refused, matrix.NotPlayed} {
		if n := count[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return strings.Join(parts, ", ")
}
