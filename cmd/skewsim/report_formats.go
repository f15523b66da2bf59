package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// reportFormat is one that report prints.
type reportFormat struct {
	word, what  string
	one         bool // it is of one run
	wholeChains bool // it tells of a chain as a whole
	write       func(io.Writer, []string, formatOptions) error
}

// formatOptions are what a format follows beside the directories.
type formatOptions struct {
	text         reports.TextOptions
	allowImpacts bool   // see reports.Run
	scenario     string // see judgeRun
}

// reportFormats are all of them.
func reportFormats() []reportFormat {
	return []reportFormat{
		{word: "html", what: "report.html of one run", one: true, write: eachRun(reports.HTML)},
		{word: "text", what: "the summary that run prints", wholeChains: true, write: texts},
		{word: "prr", what: "answers to the KEP's production readiness questions, of all runs", write: answers},
		{word: "markdown", what: "report.md, for a pull request or a job summary", write: eachRun(reports.Markdown)},
		{word: "junit", what: "junit.xml, a suite for each run", wholeChains: true, write: suites},
		{word: "json", what: "result.json of one run", one: true,
			write: eachRun(func(w io.Writer, r reports.Run) error { return reports.JSON(w, r.Result) })},
	}
}

func formatWords() (words []string) {
	for _, known := range reportFormats() {
		words = append(words, known.word)
	}
	return words
}

// formatLines are the formats, one to a line, for the command's help.
func formatLines() string {
	var b strings.Builder
	for _, known := range reportFormats() {
		fmt.Fprintf(&b, "  %-9s %s\n", known.word, known.what)
	}
	return b.String()
}

// eachRun writes the runs one after the other. What cannot be judged is told, and
// keeps no other from being written.
func eachRun(content writer) func(io.Writer, []string, formatOptions) error {
	return func(w io.Writer, dirs []string, o formatOptions) (err error) {
		return apiece(w, dirs, func(dir string) error {
			r, err := judgeDir(dir, o.scenario)
			if err != nil {
				return err
			}
			r.AllowImpacts = o.allowImpacts
			return content(w, r)
		})
	}
}

// apiece does something for each directory, with an empty line between what is written.
func apiece(w io.Writer, dirs []string, do func(dir string) error) (err error) {
	for i, dir := range dirs {
		if i > 0 {
			fmt.Fprintln(w)
		}
		err = errors.Join(err, do(dir))
	}
	return err
}

// texts writes the summaries that the terminal shows after a run, or a chain.
func texts(w io.Writer, dirs []string, o formatOptions) error {
	text := o.text
	return apiece(w, dirs, func(dir string) error {
		if rundir.IsChain(dir) {
			v, err := rundir.ReadChain(dir)
			if err != nil {
				return err
			}
			text.ReportPath = dir
			return reports.ChainText(w, v, text)
		}
		r, err := judgeDir(dir, o.scenario)
		if err != nil {
			return err
		}
		text.ReportPath = ""
		if isThere(reportPath(dir)) {
			text.ReportPath = reportPath(dir)
		}
		return reports.Text(w, r, text)
	})
}

// answers writes one answer over all runs. A run is let go when its facts are taken.
func answers(w io.Writer, dirs []string, o formatOptions) (err error) {
	var measured []reports.Measured
	var notes []string
	first := map[[sha256.Size]byte]string{} // the directory of a result with these bytes
	for _, dir := range dirs {
		r, problem := judgeDir(dir, o.scenario)
		var content bytes.Buffer
		if problem == nil {
			problem = reports.JSON(&content, r.Result)
		}
		if problem != nil {
			err = errors.Join(err, problem)
			continue
		}
		sum := sha256.Sum256(content.Bytes())
		if same, counted := first[sum]; counted {
			notes = append(notes, sameRun(dir, same))
			continue
		}
		first[sum] = dir
		measured = append(measured, reports.Measure(r))
	}
	if len(measured) == 0 {
		return err
	}
	return errors.Join(err, reports.PRR(w, measured, notes...))
}

// sameRun notes that two directories hold one run, or are one.
func sameRun(dir, same string) string {
	if filepath.Clean(dir) == filepath.Clean(same) {
		return fmt.Sprintf("%s was given more than once: it counts once", dir)
	}
	return fmt.Sprintf("%s is the same run as %s: it counts once", dir, same)
}

// suites writes a suite for each run; of a chain, one for the whole and its legs'. Of
// one run it is junit.xml as report writes it.
func suites(w io.Writer, dirs []string, o formatOptions) (err error) {
	if len(dirs) == 1 && !rundir.IsChain(dirs[0]) {
		return eachRun(reports.JUnit)(w, dirs, o)
	}
	var sources []result.Source
	for _, dir := range dirs {
		runs := []string{dir}
		if rundir.IsChain(dir) {
			sources = append(sources, chainSource(dir))
			legs, problem := legsOf(runs)
			runs, err = legs, errors.Join(err, problem)
		}
		for _, run := range runs {
			r, problem := judgeDir(run, o.scenario)
			err = errors.Join(err, problem)
			if problem == nil {
				sources = append(sources, result.Source{Path: run, Report: reportPath(run), Result: r.Result})
			}
		}
	}
	return errors.Join(err, reports.MergedJUnit(w, sources, o.allowImpacts))
}
