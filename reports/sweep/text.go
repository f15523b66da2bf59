package sweep

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// maxRows is the number of rows that a terminal shows: what fits on one screen.
const maxRows = 20

// maxMismatches is the number of mismatches of validation that a terminal shows.
const maxMismatches = 5

// The colours of a terminal: SGR parameters.
const (
	red    = "31;1"
	yellow = "33;1"
	green  = "32;1"
	faint  = "2"
)

// Text writes the summary for a terminal: the answer and the totals, then the worst rows, then
// where the files are. Colours repeat what words say.
func Text(w io.Writer, r sweep.Result, o Options) error {
	t := &terminal{Options: o, Result: r}
	t.line("%s", view.Visible(pair(r)))
	if r.Warning != "" {
		t.line("%s %s", t.paint(red, "warning:"), view.Visible(r.Warning))
	}
	t.line("%s", t.paint(yellow, view.Visible(r.Answer)))
	if len(r.Laps) == 0 {
		t.planned()
	} else {
		t.totals()
		t.changes()
	}
	t.rows()
	t.unreached()
	t.notes()
	t.timing()
	t.places()
	if r.Ended != "" {
		t.line("\n%s %s", t.paint(red, "ended early:"), view.Visible(r.Ended))
	}
	return written(w, "summary", t.Bytes())
}

// terminal is a text that is being written.
type terminal struct {
	bytes.Buffer
	Options
	sweep.Result
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
	if t.Width == 0 {
		return view.Visible(text)
	}
	return brief(text, max(t.Width-indent-2, 30))
}

func (t *terminal) totals() {
	n := t.Totals
	t.line("\n  %s", sum(n))
	t.line("  added fields exercised: %s", share(n.AddedFields))
	t.line("\n  %8s %8s", "default", "gates on")
	for _, e := range sweep.Effects() {
		if n.Default[e.String()]+n.Gates[e.String()] > 0 {
			t.line("  %8d %8d  %s", n.Default[e.String()], n.Gates[e.String()], t.paint(colorOf(e), sign(e)+" "+label(e, ofDefinitions(t.Result))))
		}
	}
	if old := n.PreExisting; old[term.DefaultLap]+old[term.GatesLap] > 0 {
		t.line("  %8d %8d  %s", old[term.DefaultLap], old[term.GatesLap], t.paint(faint, preExistingSign+" "+preExisting+": "+preExistingWords))
	}
}

func colorOf(f term.Effect) string {
	switch {
	case !f.WorseThan(term.Kept.Effect()):
		return map[bool]string{true: green, false: faint}[f == term.Kept.Effect()]
	case f.WorseThan(term.Changed.Effect()):
		return red
	}
	return yellow
}

// changes writes what differs from the baseline.
func (t *terminal) changes() {
	if t.Baseline == nil {
		return
	}
	t.line("\ncompared with %s: %s", view.Visible(t.Baseline.File), term.Numbered(len(t.Baseline.Changes), "change"))
	for i, c := range t.Baseline.Changes {
		if i == maxRows {
			t.line("  and %d more", len(t.Baseline.Changes)-i)
			return
		}
		was := strings.Join(strings.Fields(fmt.Sprintf("%s → %s", view.FirstOf(c.Before.String(), "absent"), view.FirstOf(c.After.String(), "absent"))), " ")
		t.line("  %-9s %s", c.Change, t.cut(c.What+" ("+was+")", 12))
	}
}

// planned lists all differences of a sweep that no lap played: there is no fate to count.
func (t *terminal) planned() {
	t.line("\n  %s, %d to play", term.Numbered(t.Totals.Differences, "difference"), t.Totals.Playable)
	for _, row := range t.Rows {
		text := place(row.Difference)
		if about := gates(row.Difference); about != "" {
			text += " (" + about + ")"
		}
		if !row.Playable && len(row.Laps) == 0 {
			text += ", listed only"
		}
		kind := fmt.Sprintf("%-25s", row.Difference.Difference)
		t.line("  %s %s", kind, t.cut(text, len(kind)+3))
	}
}

// rows writes the worst rows, in two lines each: those that fail, or if none does those that
// something happened to.
func (t *terminal) rows() {
	all := t.Groups(t.FailOn)
	groups, title := without(all, func(g sweep.Group) bool { return !g.Fails }), "rows that fail"
	if len(groups) == 0 {
		groups, title = without(all, func(g sweep.Group) bool { return !isHarmed(g.Rows[0]) }), "worst rows"
		if t.FailOn.Level.Outcome != "" {
			title = "no row fails; worst rows"
		}
	}
	t.groups(title, groups)
	t.groups(preExisting+", so no change: "+preExistingWords, without(all, func(g sweep.Group) bool { return !g.Rows[0].PreExisting }))
}

// without returns the groups of which something does not hold.
func without(all []sweep.Group, holds func(sweep.Group) bool) []sweep.Group {
	return slices.DeleteFunc(slices.Clone(all), holds)
}

// rowsIn is the number of rows in groups.
func rowsIn(all []sweep.Group) (n int) {
	for _, g := range all {
		n += len(g.Rows)
	}
	return n
}

// groups writes changes, the first row of each.
func (t *terminal) groups(title string, groups []sweep.Group) {
	if len(groups) == 0 {
		return
	}
	rows := rowsIn(groups)
	of := ""
	if rows > len(groups) {
		of = ", of " + term.Numbered(len(groups), "change")
	}
	t.line("\n%s: %d%s", title, rows, of)
	said := ""
	for i, g := range groups {
		if i == maxRows {
			t.line("  and %d more", rowsIn(groups[i:]))
			return
		}
		row := g.Rows[0]
		verdict := sign(row.Effect) + " " + label(row.Effect, ofDefinitions(t.Result))
		t.line("  %s  %s", t.paint(colorOf(row.Effect), verdict), t.cut(fmt.Sprintf("%s: %s", row.Difference.Difference, place(row.Difference)), len(verdict)+4))
		for _, text := range []string{also(g), about(row)} {
			if text != "" {
				t.line("      %s", t.cut(text, 6))
			}
		}
		for _, row := range g.Rows[:min(len(g.Rows), maxNamed)] {
			said = t.uninstallable(row, said)
		}
	}
}

// uninstallable writes why servers refuse to install a definition of a row's kind, whole:
// nobody can act on less. It returns the words, which the rows after it need not repeat.
func (t *terminal) uninstallable(row sweep.Row, said string) string {
	cells := row.Uninstallable()
	if len(cells) == 0 {
		return said
	}
	words := view.Visible(cells[0].Message)
	shown := words
	if words == said {
		shown = "as above"
	}
	t.line("      cannot be installed on %s: %s", rollOuts(cells), shown)
	return words
}

// maxReasons is the number of reasons that a terminal shows.
const maxReasons = 10

// unreached writes why differences are not exercised, each reason with its number and the first row.
func (t *terminal) unreached() {
	if t.Totals.NotExercised == 0 || len(t.Laps) == 0 {
		return
	}
	t.line("\nnot exercised, so nothing is known of them: %d", t.Totals.NotExercised)
	for i, reason := range t.Totals.Reasons {
		if i == maxReasons {
			t.line("  and %s more, in %s", term.Numbered(len(t.Totals.Reasons)-i, "reason"), Page)
			return
		}
		t.line("  %6d  %s", reason.Rows, t.cut(because(t.Result, reason), 10))
	}
}

// rollOuts names the roll-outs in which servers refused a definition.
func rollOuts(cells []sweep.Cell) string {
	names := map[string]string{"rolled-back": "the rollback", "re-upgraded": "the second upgrade"}
	var all []string
	for _, c := range cells {
		if name := view.FirstOf(names[c.Stage], "the upgrade"); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return strings.Join(all, " and ")
}

// about is the second line of a row.
func about(row sweep.Row) string {
	parts := []string{cellCount(row.LapResult), ruling(row.LapResult), reachable(row), gates(row.Difference), why(row.LapResult), strings.Join(writesOf(row.LapResult), "; ")}
	var told []string
	for _, part := range parts {
		if part != "" {
			told = append(told, part)
		}
	}
	return strings.Join(told, " · ")
}

func (t *terminal) notes() {
	if all := mismatches(t.Result); len(all) > 0 {
		t.line("\n%s: %d", strings.ToLower(mismatchTitle), len(all))
		for _, text := range all[:min(len(all), maxMismatches)] {
			t.line("  %s", t.cut(text, 2))
		}
		if more := len(all) - maxMismatches; more > 0 {
			t.line("  and %d more", more)
		}
	}
	if n := len(t.NotCompared); n > 0 {
		t.line("\nnot compared: %d, listed in %s", n, Page)
	}
	for _, note := range t.Notes {
		t.line("note: %s", t.cut(note, 6))
	}
}

// timing writes what the sweep took.
func (t *terminal) timing() {
	if t.Timing == nil {
		return
	}
	own, all := t.Timing.SimulatorCPU, t.Timing.SimulatorCPU+t.Timing.ServersCPU
	t.line("\ntook %.0f s, and %.0f CPU-seconds: %.0f%% of them and at most %d MB in skewsim, the others in servers", t.Timing.Seconds, all, 100*own/max(all, 0.001), t.Timing.Memory>>20)
}

// places writes what repeats the sweep, and where the files are.
func (t *terminal) places() {
	if t.Command != "" {
		t.line("\nagain: %s", view.Visible(t.Command))
	}
	if t.Dir == "" {
		return
	}
	t.line("\npage: %s", filepath.Join(t.Dir, Page))
	for _, l := range t.Laps {
		if l.Run != "" {
			t.line("%s lap: %s", l.Lap, filepath.Join(t.Dir, l.Run, view.ReportFile))
		}
	}
}
