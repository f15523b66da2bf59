package preflight

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// What a terminal shows: the rest is counted, and on the page.
const (
	maxThresholds = 10
	maxCauses     = 15
	maxOwners     = 3
	maxKinds      = 20
	maxLines      = 5
)

// The colours of a terminal: SGR parameters.
const (
	red    = "31;1"
	yellow = "33;1"
	green  = "32;1"
	faint  = "2"
)

// Text writes the summary for a terminal: for each hop the answer of each direction, the point of
// no return, kinds by outcome, causes, and what was not covered. Colours repeat what words say.
func Text(w io.Writer, r preflight.Result, o Options) error {
	t := &terminal{Options: o}
	for i, h := range r.Hops {
		if i > 0 {
			t.line("")
		}
		t.hop(h)
	}
	for _, text := range remarks(r) {
		t.line("\n%s", t.cut(text, 0))
	}
	t.source(r)
	if o.Dir != "" {
		t.line("\npage: %s", filepath.Join(o.Dir, Page))
	}
	if r.Ended != "" {
		t.line("\n%s %s", t.paint(red, "ended early:"), t.cut(r.Ended, 13))
	}
	return written(w, "summary", t.Bytes())
}

// terminal is a text that is being written.
type terminal struct {
	bytes.Buffer
	Options
}

func (t *terminal) line(format string, args ...any) {
	fmt.Fprintln(t, term.WithoutCommand(fmt.Sprintf(format, args...)))
}

func (t *terminal) paint(color, text string) string {
	if !t.Color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// cut keeps a line within the terminal's width.
func (t *terminal) cut(text string, indent int) string {
	const most = 400
	if t.Width == 0 {
		return brief(text, most)
	}
	return brief(text, max(t.Width-indent-2, 30))
}

func (t *terminal) hop(h preflight.Hop) {
	t.line("%s", brief(pair(h), 200))
	for _, a := range answers(h) {
		word := fmt.Sprintf("%s %-7s", gradeSign(a.Grade), gradeWord(a.Grade))
		t.line("  %s  %s", t.paint(gradeColor(a.Grade), word), brief(a.Sentence, 1000))
	}
	t.returning(h)
	t.kinds(h)
	g := group(h)
	t.causes("findings", g.Causes, g.Ephemeral, h)
	t.causes("broken already on "+brief(first(h), 60), g.Baseline, g.Early, h)
	if len(h.Written) > 0 {
		t.line("\n  servers wrote by themselves, and so not counted: %s", t.cut(counts(h.Written), 30))
	}
	t.deleted(h)
	t.defaulted(h.Defaulted)
	t.phases(h)
}

// deleted writes the objects that servers deleted by themselves.
func (t *terminal) deleted(h preflight.Hop) {
	if len(h.Deleted) == 0 {
		return
	}
	t.line("\n  %s: %s", strings.ToLower(deletedTitle), term.Numbered(len(h.Deleted), "object"))
	for i, d := range h.Deleted {
		if i == maxLines {
			t.line("    and %d more", len(h.Deleted)-i)
			break
		}
		t.line("    - %s", t.cut(deletedLine(h, d), 6))
	}
}

// defaulted writes the fields that the newer release fills in.
func (t *terminal) defaulted(all []preflight.Default) {
	if len(all) == 0 {
		return
	}
	t.line("\n  %s: %s, which is no finding", strings.ToLower(defaultedTitle), term.Numbered(len(all), "field"))
	for i, d := range all {
		if i == maxLines {
			t.line("    and %d more", len(all)-i)
			break
		}
		t.line("    - %s", t.cut(defaultedLine(d), 6))
	}
}

func gradeColor(g preflight.Grade) string {
	switch g {
	case preflight.Ready:
		return green
	case preflight.Blocked:
		return red
	}
	return yellow
}

// returning writes the point of no return.
func (t *terminal) returning(h preflight.Hop) {
	for _, part := range returning(h) {
		t.line("\n  %s", brief(part.Text, 600))
		for i, w := range part.Writes {
			if i == maxThresholds-1 && len(part.Writes) > maxThresholds || i > 0 && i == part.First && i+1 < len(part.Writes) {
				t.line("    and %d more writes", len(part.Writes)-i)
				break
			}
			t.line("    - %s", t.cut(w, 6))
		}
	}
}

// kinds writes the kinds with findings by outcome.
func (t *terminal) kinds(h preflight.Hop) {
	found, others, objects := harmed(h.Kinds)
	if len(found) > 0 {
		t.line("\n  %8s  %8s  %s", "objects", "findings", "kind")
	}
	for i, k := range found {
		if i == maxKinds {
			t.line("  and %s more", term.Numbered(len(found)-i, "kind"))
			break
		}
		n, by := 0, map[string]int{}
		for c, count := range k.Outcomes {
			n, by[outcomeOf(c).Label] = n+count, count
		}
		t.line("  %8d  %8d  %s", k.Objects, n, t.cut(object(k.Group, k.Kind)+": "+counts(by), 24))
	}
	if others > 0 {
		t.line("  %s", othersLine(others, objects))
	}
}

func outcomeColor(c term.Outcome) string {
	if preflight.GradeOf(c) == preflight.Blocked {
		return red
	}
	return yellow
}

// causes writes findings by cause.
func (t *terminal) causes(heading string, causes []Cause, passing string, h preflight.Hop) {
	if len(causes) == 0 && passing == "" {
		return
	}
	t.line("\n  %s", t.paint(faint, heading+": "+term.Numbered(len(causes), "cause")))
	for i, c := range causes {
		if i == maxCauses {
			t.line("    and %s more", term.Numbered(len(causes)-i, "cause"))
			break
		}
		t.cause(c, h)
	}
	if passing != "" {
		t.line("    %s", t.cut(passing, 4))
	}
}

func (t *terminal) cause(c Cause, h preflight.Hop) {
	shown := outcomeOf(c.Outcome)
	verdict := shown.Sign + " " + brief(shown.Label, 60)
	about := where(h, c) + ": " + place(c)
	if n := c.count(); n != "" {
		about = n + ", " + about
	}
	t.line("    %s  %s", t.paint(outcomeColor(c.Outcome), verdict), t.cut(about, len(verdict)+6))
	t.line("        %s", t.cut(c.Message, 8))
	if owners := c.owners(maxOwners); owners != "" {
		t.line("        %s", t.cut(owners, 8))
	}
	t.line("        %s", t.cut(c.remedy(), 8))
}

// phases writes what was played.
func (t *terminal) phases(h preflight.Hop) {
	if len(h.Phases) == 0 {
		return
	}
	t.line("")
	for _, p := range h.Phases {
		t.line("  %9s  %s", view.Seconds(p.Seconds), t.cut(took(h, p), 13))
	}
	if text := sharedLine(h); text != "" {
		t.line("  %s", text)
	}
}

// source writes where the objects came from, and what is not covered.
func (t *terminal) source(r preflight.Result) {
	t.line("\n%s", t.cut("source: "+source(r.Source)+judged(r), 0))
	for _, part := range notCovered(r.Source) {
		if len(part.Lines) == 0 {
			continue
		}
		t.line("%s: %d", part.Title, len(part.Lines))
		for i, text := range part.Lines {
			if i == maxLines {
				t.line("  and %d more", len(part.Lines)-i)
				break
			}
			t.line("  - %s", t.cut(text, 4))
		}
	}
}

// part is a list with its title.
type part struct {
	Title string
	Lines []string
}

// notCovered are the lists of what the preflight does not cover, and of the flags that it takes over.
func notCovered(s preflight.Source) []part {
	return []part{
		{"the source cannot show", s.CannotSee}, {"skipped", s.InOrder()}, {"removed from the copy", s.Removed},
		{"flags not taken over", s.FlagsLeft}, {"flags taken over", s.FlagsTaken},
	}
}
