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

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
)

// progress tells how several runs get on.
type progress struct {
	w    io.Writer
	dir  string // that theirs are in
	all  int
	done int
	from time.Time
}

// The outcomes of one of several runs, besides impacts.
const (
	outcomePassed    = "pass"
	outcomeFailed    = "FAIL"
	outcomeRefused   = "refused"
	outcomeUnjudged  = "unknown"
	outcomeNotPlayed = "not played"
)

// word is what came of a run, in a word.
func (e ended) word() string {
	if !e.begun || fault.Is(e.err, fault.Unavailable) {
		return outcomeNotPlayed
	}
	return outcomeOf(e.err)
}

// outcomeOf is what came of a run that was played.
func outcomeOf(err error) string {
	kind := fault.Of(err).Kind
	switch {
	case err == nil:
		return outcomePassed
	case foundImpacts(err):
		return string(term.Impacts)
	case kind == fault.Verdict:
		return outcomeFailed
	case kind == fault.User:
		return outcomeRefused
	}
	return outcomeUnjudged
}

// begin prints which scenarios share a journey.
func (p *progress) begin(all []company) {
	for _, c := range all {
		if len(c) > 1 {
			fmt.Fprintf(p.w, "%d on one journey, %s: %s\n", len(c), c.pair(), strings.Join(c.names(), ", "))
		}
	}
}

// tell prints the line of a run that has ended. One that is played again is not done.
func (p *progress) tell(e ended) {
	width := len(fmt.Sprint(p.all))
	if e.again {
		fmt.Fprintf(p.w, "%*s  %-7s  %5.1f s  %s: in company; it is played again, alone\n", 2*width+1, "", e.word(), e.took.Seconds(), e.name)
		return
	}
	p.done++
	fmt.Fprintf(p.w, "%*d/%d  %-7s  %5.1f s  %s\n", width, p.done, p.all, e.word(), e.took.Seconds(), p.line(e))
}

// line names a run, and where it did not pass says why, or where to read it.
func (p *progress) line(e ended) string {
	name := e.name
	if e.company != "" {
		name += ", alone"
	}
	switch text := firstWords(e.err); {
	case e.err == nil:
		return name
	case text != "":
		return name + ": " + text
	}
	return name + ": see " + filepath.Join(p.dir, e.name, transcript)
}

// table prints how long each run took, the slowest first, and what they all came to.
// Side by side they add up to more than the whole.
func (p *progress) table(all []ended, journeys, atOnce int) error {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b ended) int {
		return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.name, b.name))
	})
	table := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nSCENARIO\tSECONDS\t")
	count := map[string]int{}
	for _, e := range sorted {
		fmt.Fprintf(table, "%s\t%7.1f\t%s\n", e.name, e.took.Seconds(), e.whole())
		count[e.word()]++
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.w, "\n%s on %s, %d at once, %.1f s: %s\n%s", numbered(len(all), "scenario"), numbered(journeys, "journey"), atOnce,
		time.Since(p.from).Seconds(), counted(count), differing(all))
	return err
}

// whole is what came of a run, with whom it shared its journey, and what it had come
// to in company.
func (e ended) whole() string {
	switch {
	case e.company != "" && e.company != e.word():
		return fmt.Sprintf("%s alone, %s in company", e.word(), e.company)
	case e.company != "":
		return e.word() + " alone and in company"
	case e.with > 0:
		return fmt.Sprintf("%s, with %s", e.word(), numbered(e.with, "other"))
	}
	return e.word()
}

// differing says which runs came to something else alone than in company: that is
// skewsim's doing, or that of what they store.
func differing(all []ended) string {
	var names []string
	for _, e := range all {
		if e.company != "" && e.begun && e.company != e.word() {
			names = append(names, e.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return fmt.Sprintf("alone and in company not the same: %s. What counts is what they came to alone; with isolate: true in its file a scenario goes alone at once\n",
		strings.Join(names, ", "))
}

// numbered is a number of things, in words.
func numbered(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// counted is how many came to what, in words.
func counted(count map[string]int) string {
	var parts []string
	for _, word := range []string{outcomePassed, outcomeFailed, string(term.Impacts), outcomeUnjudged, outcomeRefused, outcomeNotPlayed} {
		if n := count[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return strings.Join(parts, ", ")
}
