package sweep

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// ofDefinitions reports whether the releases are sets of definitions on one server: a cluster
// has one of the two at a time, and never a mixed control plane.
func ofDefinitions(r sweep.Result) bool { return strings.HasPrefix(r.Old.Reference, "crd:") }

// label is an effect as readers see it.
func label(f term.Effect, definitions bool) string {
	switch {
	case f.Actor == term.OldServer && definitions:
		return "lost while old definitions are installed"
	case f.Actor == term.OldServer:
		return "lost by writes of the old release"
	case f.Actor == term.OldProgram:
		return "lost by the old program"
	case f.Actor == term.NewProgram:
		return "lost by the new program"
	case f.Actor == term.OldClient:
		return "lost by old clients"
	case f.Actor == term.NewRelease:
		return "lost by the new release"
	}
	return strings.ReplaceAll(string(f.Outcome), "-", " ")
}

// meaning explains an effect: of a loss, who lost the value.
func meaning(e term.Effect) string {
	if e.Actor != "" {
		return term.Actors().Meaning(e.Actor) // the label says that the value is lost
	}
	return term.Outcomes().Meaning(e.Outcome)
}

// pair is the title: what was compared.
func pair(r sweep.Result) string {
	return release(r.Old) + " → " + release(r.New)
}

// release is a build by its reference, with the version if that says more.
func release(b sweep.Build) string {
	if b.Version == "" || strings.Contains(b.Reference, b.Version) {
		return b.Reference
	}
	return b.Reference + " (" + b.Version + ")"
}

// place is what differs, in one line: apps/v1 Deployment .spec.replicas, or the name of what
// has no kind.
func place(d diff.Difference) string {
	groupVersion := strings.Trim(d.Group+"/"+d.Version, "/")
	if d.Kind == "" && d.Name != "" {
		groupVersion = d.Group // a gate or a plug-in is of no version
	}
	name := d.Name
	if d.Difference == term.RoundTrip {
		name = "through " + name
	}
	words := slices.DeleteFunc([]string{groupVersion, d.Kind, d.Path, name}, func(word string) bool { return word == "" })
	return strings.Join(words, " ")
}

// gates are the gates of a difference with stage and default in both releases.
func gates(d diff.Difference) string {
	var all []string
	for _, g := range d.Gates {
		all = append(all, gate(g))
	}
	return strings.Join(all, "; ")
}

func gate(g diff.Gate) string {
	before, after := gateState(g.Old), gateState(g.New)
	if before == after {
		return g.Name + ": " + after
	}
	return g.Name + ": " + before + " → " + after
}

func gateState(s *diff.GateState) string {
	if s == nil {
		return "absent"
	}
	text := strings.ToLower(s.Stage) + " off"
	if s.Default {
		text = strings.ToLower(s.Stage) + " on"
	}
	if s.Locked {
		text += ", locked"
	}
	return text
}

// ruling is whether the row's worst finding is sanctioned, breaks a rule, or is a known
// bug, and who accepted the row.
func ruling(o sweep.LapResult) string {
	var parts []string
	switch {
	case o.Class == term.Impact:
		parts = append(parts, "sanctioned by "+cmp.Or(string(o.Rule), string(term.Rule6)))
		if o.Broken > 0 {
			parts = append(parts, term.Counted(o.Broken, "cell breaks a rule", "cells break a rule")+broken(o))
		}
	case o.Class == term.Violation:
		parts = append(parts, "breaks "+cmp.Or(string(o.Rule), "a rule"))
	}
	if o.Known != "" {
		parts = append(parts, "known bug")
	}
	if o.Accepted != "" {
		parts = append(parts, "accepted by "+o.Accepted)
	}
	if o.PreExisting {
		parts = append(parts, "pre-existing")
	}
	return strings.Join(parts, ", ")
}

// broken names the writes whose cells break a rule, each with its outcome and the rule.
func broken(o sweep.LapResult) string {
	var all []string
	for _, c := range o.Cells {
		if c.Class != term.Violation {
			continue
		}
		said := cmp.Or(c.Write, "no write") + " (" + c.Effect.String() + ", " + cmp.Or(string(c.Rule), "a rule") + ")"
		if !slices.Contains(all, said) {
			all = append(all, said)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, "; ")
}

// stage is where a cell was played. Definitions are installed for all clients at once, so their
// stages are named after what was rolled back.
func stage(c sweep.Cell, definitions bool) string {
	switch {
	case !definitions:
		return c.Stage
	case c.Stage == "rolled-back":
		return "definitions rolled back"
	case c.Stage == "new" && strings.Contains(c.Write, "client of the old release"):
		return "controllers rolled back, definitions left"
	}
	return c.Stage
}

// cellCount says in how many cells the verdict was found; "" without cells.
func cellCount(o sweep.LapResult) string {
	if len(o.Cells) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s", o.PlayedWith(o.Effect), term.Numbered(o.Played(), "cell"))
}

// cellsOf returns the listed cells with the outcome's own verdict.
func cellsOf(o sweep.LapResult) []sweep.Cell {
	return slices.DeleteFunc(slices.Clone(o.Cells), func(c sweep.Cell) bool { return c.Effect != o.Effect })
}

// writesOf returns which writes had the verdict, each once; none for a verdict that is no
// harm.
func writesOf(o sweep.LapResult) (writes []string) {
	if !o.Effect.WorseThan(term.Hidden.Effect()) {
		return nil
	}
	for _, c := range cellsOf(o) {
		if c.Write != "" && !slices.Contains(writes, c.Write) {
			writes = append(writes, c.Write)
		}
	}
	return writes
}

// maxNamed is the number of values, and of places, that the line of a group names.
const maxNamed = 3

// also says what the rows of a group are about beside the first one, and where else their changes are; ""
// if there is neither.
func also(g sweep.Group) string {
	var parts []string
	if names := g.Names(); len(names) > 1 {
		parts = append(parts, named(names[1:]))
	}
	if places := g.Places(); len(places) > 1 {
		parts = append(parts, "in "+named(places[1:]))
	}
	var said []string
	if len(parts) > 0 {
		said = append(said, fmt.Sprintf("%d rows, also %s", len(g.Rows), strings.Join(parts, ", ")))
	}
	if n := unplayed(g); n > 0 {
		said = append(said, term.Numbered(n, "other place")+" with the same change, not played")
	}
	return strings.Join(said, "; ")
}

// unplayed counts the further places of the changes of a group, which were not played. The places of a gate are
// other fields, and other changes.
func unplayed(g sweep.Group) (n int) {
	for _, r := range g.Rows {
		if !r.Difference.Difference.IsGate() {
			n += max(len(r.Places)-1, 0)
		}
	}
	return n
}

// named names the first of several.
func named(all []string) string {
	text := strings.Join(all[:min(len(all), maxNamed)], ", ")
	if more := len(all) - maxNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// why is the cause, or the servers' words if no finding has one.
func why(o sweep.LapResult) string { return cmp.Or(string(o.Cause), o.Reason) }

// report returns the address of a lap's report; "" without one.
func report(l sweep.LapSummary) string {
	if l.Run == "" {
		return ""
	}
	return view.Local((&url.URL{Path: path.Join(l.Run, view.ReportFile)}).String())
}

// preExisting takes the place of the verdict where rows are counted whose harm the old release alone does too.
const (
	preExisting      = "pre-existing"
	preExistingSign  = "≡"
	preExistingWords = "the old release alone does it too, before the upgrade"
)

// sum says how many differences there are, and what is known of them; the parts are all of them.
func sum(n sweep.Totals) string {
	text := fmt.Sprintf("%s: %d exercised, %d not exercised", term.Numbered(n.Differences, "difference"), n.Exercised, n.NotExercised)
	if n.Listed > 0 {
		text += fmt.Sprintf(", %d listed only", n.Listed)
	}
	if n.Shown > 0 {
		text += "; and " + term.Counted(n.Shown, "row that only servers show", "rows that only servers show")
	}
	return text
}

// because says why rows are not exercised: of one row all of the reason, of several what they have in common
// and the first of them.
func because(r sweep.Result, reason sweep.Reason) string {
	i := slices.IndexFunc(r.Rows, func(row sweep.Row) bool { return row.ID == reason.First })
	if i < 0 {
		return reason.Reason
	}
	first := r.Rows[i]
	text := fmt.Sprintf("%s: %s: %s", first.Difference.Difference, place(first.Difference), cmp.Or(first.Reason, "no reason is known"))
	if reason.Rows == 1 {
		return text
	}
	return fmt.Sprintf("%s, such as %s", cmp.Or(reason.Reason, "no reason is known"), text)
}

// share is a fraction in words.
func share(f sweep.Fraction) string {
	if f.Of == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%d%%)", f.Exercised, f.Of, 100*f.Exercised/f.Of)
}

// seconds are all laps' together.
func seconds(laps []sweep.LapSummary) (sum float64) {
	for _, l := range laps {
		sum += l.Seconds
	}
	return sum
}

// mismatchTitle is the heading of what servers logged of their own validation.
const mismatchTitle = "Mismatches of validation"

// mismatches returns what servers logged of their own validation, one line each.
func mismatches(r sweep.Result) (lines []string) {
	for _, m := range r.Mismatches {
		lines = append(lines, m.String())
	}
	return lines
}

// reachable says where a row can be reached.
func reachable(r sweep.Row) string {
	if r.Reachable {
		return "by default"
	}
	return "with gates on"
}

// rollOuts names the roll-outs in which servers refused a definition.
func rollOuts(cells []sweep.Cell) string {
	names := map[string]string{"rolled-back": "the rollback", "re-upgraded": "the second upgrade"}
	var all []string
	for _, c := range cells {
		if name := cmp.Or(names[c.Stage], "the upgrade"); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return strings.Join(all, " and ")
}

// skippedReasons returns the reasons of a lap's skipped objects, each as one line.
func skippedReasons(l sweep.LapSummary) (lines []string) {
	for _, object := range slices.Sorted(maps.Keys(l.Skipped)) {
		lines = append(lines, object+": "+l.Skipped[object])
	}
	return lines
}
