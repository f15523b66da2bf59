package reports

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Format is a report format for directories of runs and chains.
type Format struct {
	Word, What  string
	One         bool // the report is about one run
	WholeChains bool // the report is about whole chains; other formats report their legs
	// Write writes the report. A directory that cannot be judged is an error, and does not
	// keep the others from being written.
	Write func(io.Writer, []string, FormatOptions) error
}

// FormatOptions are the options of a format besides the directories.
type FormatOptions struct {
	Text         TextOptions
	AllowImpacts bool // see Run
	// Judge judges the run in a directory.
	Judge func(dir string) (Run, error)
}

// Formats are all of them.
func Formats() []Format {
	return []Format{
		{Word: "html", What: "report.html of one run", One: true, Write: eachRun(HTML)},
		{Word: "text", What: "the summary that run prints", WholeChains: true, Write: texts},
		{Word: "prr", What: "answers to the KEP's production readiness questions, of all runs", Write: answers},
		{Word: "markdown", What: "report.md, for a pull request or a job summary", Write: eachRun(Markdown)},
		{Word: "junit", What: "junit.xml, a suite for each run", WholeChains: true, Write: suites},
		{Word: "json", What: "result.json of one run", One: true,
			Write: eachRun(func(w io.Writer, r Run) error { return JSON(w, r.Result) })},
	}
}

// FormatOf returns the format that a word names. The error names the nearest word.
func FormatOf(word string) (Format, error) {
	for _, known := range Formats() {
		if known.Word == word {
			return known, nil
		}
	}
	hint := ""
	if near := suggest.Nearest(word, FormatWords()); near != "" {
		hint = fmt.Sprintf(": did you mean %q?", near)
	}
	return Format{}, fmt.Errorf("%q: not a format (%s)%s", word, strings.Join(FormatWords(), ", "), hint)
}

// FormatWords returns the words of all formats.
func FormatWords() (words []string) {
	for _, known := range Formats() {
		words = append(words, known.Word)
	}
	return words
}

// FormatLines returns the formats with what they are, one a line, for a help text.
func FormatLines() string {
	var b strings.Builder
	for _, known := range Formats() {
		fmt.Fprintf(&b, "  %-9s %s\n", known.Word, known.What)
	}
	return b.String()
}

// eachRun writes the runs one after the other.
func eachRun(content func(io.Writer, Run) error) func(io.Writer, []string, FormatOptions) error {
	return func(w io.Writer, dirs []string, o FormatOptions) (err error) {
		return apiece(w, dirs, func(dir string) error {
			r, err := o.Judge(dir)
			if err != nil {
				return err
			}
			r.AllowImpacts = o.AllowImpacts
			return content(w, r)
		})
	}
}

// apiece calls do for each directory, with an empty line between the outputs.
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
func texts(w io.Writer, dirs []string, o FormatOptions) error {
	text := o.Text
	return apiece(w, dirs, func(dir string) error {
		if rundir.IsChain(dir) {
			v, err := rundir.ReadChain(dir)
			if err != nil {
				return err
			}
			text.ReportPath = dir
			return ChainText(w, v, text)
		}
		r, err := o.Judge(dir)
		if err != nil {
			return err
		}
		text.ReportPath = ""
		if page := filepath.Join(dir, view.ReportFile); rundir.Exists(page) {
			text.ReportPath = page
		}
		return Text(w, r, text)
	})
}

// answers writes one answer over all runs. A run is released when its facts are taken.
func answers(w io.Writer, dirs []string, o FormatOptions) (err error) {
	var measured []Measured
	var notes []string
	first := map[[sha256.Size]byte]string{} // the directory of a result with these bytes
	for _, dir := range dirs {
		r, problem := o.Judge(dir)
		var content bytes.Buffer
		if problem == nil {
			problem = JSON(&content, r.Result)
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
		measured = append(measured, Measure(r))
	}
	if len(measured) == 0 {
		return err
	}
	return errors.Join(err, PRR(w, measured, notes...))
}

// sameRun notes that two directories hold the same run, or are the same.
func sameRun(dir, same string) string {
	if filepath.Clean(dir) == filepath.Clean(same) {
		return fmt.Sprintf("%s was given more than once: it counts once", dir)
	}
	return fmt.Sprintf("%s is the same run as %s: it counts once", dir, same)
}

// suites writes a suite for each run, and for a chain one for the whole and one for each
// leg. For a single run it is the same junit.xml as in the run directory.
func suites(w io.Writer, dirs []string, o FormatOptions) (err error) {
	if len(dirs) == 1 && !rundir.IsChain(dirs[0]) {
		return eachRun(JUnit)(w, dirs, o)
	}
	var sources []result.Source
	for _, dir := range dirs {
		runs := []string{dir}
		if rundir.IsChain(dir) {
			sources = append(sources, gather.Chain(dir))
			legs, problem := gather.Legs(runs)
			runs, err = legs, errors.Join(err, problem)
		}
		for _, run := range runs {
			r, problem := o.Judge(run)
			err = errors.Join(err, problem)
			if problem == nil {
				sources = append(sources, result.Source{Path: run, Report: filepath.Join(run, view.ReportFile), Result: r.Result})
			}
		}
	}
	return errors.Join(err, MergedJUnit(w, sources, o.AllowImpacts))
}
