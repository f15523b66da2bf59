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
)

// progress tells how several runs get on.
type progress struct {
	w    io.Writer
	dir  string // that theirs are in
	all  int
	done int
	from time.Time
}

// words are what an exit code is called in a line about one of several runs.
var words = map[int]string{exitExpected: "pass", exitDiffers: "FAIL", exitUsage: "refused", exitUnjudged: "unknown"}

// word is what came of a run, in a word.
func (e ended) word() string {
	if !e.begun {
		return "not played"
	}
	return words[exitCode(e.err)]
}

// tell prints the line of a run that has ended.
func (p *progress) tell(e ended) {
	p.done++
	width := len(fmt.Sprint(p.all))
	fmt.Fprintf(p.w, "%*d/%d  %-7s  %5.1f s  %s\n", width, p.done, p.all, e.word(), e.took.Seconds(), p.line(e))
}

// line names a run, and where it did not pass says why, or where to read it.
func (p *progress) line(e ended) string {
	switch text, _, _ := strings.Cut(lastWords(e.err), "\n"); {
	case e.err == nil:
		return e.name
	case text != "":
		return e.name + ": " + strings.TrimPrefix(text, "skewsim: ")
	}
	return e.name + ": see " + filepath.Join(p.dir, e.name, transcript)
}

// table prints how long each run took, the slowest first, and what they all came to.
// Side by side they add up to more than the whole.
func (p *progress) table(all []ended, atOnce int) error {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b ended) int {
		return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.name, b.name))
	})
	table := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nSCENARIO\tSECONDS\t")
	count := map[string]int{}
	for _, e := range sorted {
		fmt.Fprintf(table, "%s\t%7.1f\t%s\n", e.name, e.took.Seconds(), e.word())
		count[e.word()]++
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.w, "\n%s, %d at once, %.1f s: %s\n", numbered(len(all), "scenario"), atOnce, time.Since(p.from).Seconds(), counted(count))
	return err
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
	for _, word := range []string{"pass", "FAIL", "unknown", "refused", "not played"} {
		if n := count[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return strings.Join(parts, ", ")
}
