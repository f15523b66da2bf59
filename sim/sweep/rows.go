package sweep

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Rows gives each row of a comparison the outcomes of the laps that were played, and adds rows
// for what no published difference explains, and what further sources add. Rows are sorted, the
// worst first.
func Rows(rows []Row, laps []Lap, further ...func([]Row) []Row) []Row {
	given := rows
	all := declared(rows)
	for i := range all {
		all[i].Laps = nil
	}
	rows = slices.Clone(all)
	for _, lap := range laps {
		b := newBook(lap)
		b.claims = claimsOf(given)
		for i := range all {
			if o, known := b.outcome(all[i]); known {
				all[i].Laps = append(all[i].Laps, o)
			}
		}
		shown := b.behaviour(all[:len(rows)])
		all = append(all, slices.Concat(shown, b.roundTrips(shown), b.uninstalled(all[:len(rows)]))...) // what a lap before showed explains nothing in this one
	}
	all = mergedByID(all)
	for _, add := range further {
		all = add(all)
	}
	for i := range all {
		for lap := range all[i].Laps {
			all[i].Laps[lap].limitCells()
		}
		all[i].conclude()
	}
	all = slices.DeleteFunc(all, Row.showsNothing)
	sortRows(all)
	return all
}

// showsNothing reports whether no release publishes what a row is about, and no server has shown it either.
func (r Row) showsNothing() bool {
	return r.Name == Unstated && (r.Outcome == term.NotExercised || r.Outcome == term.Kept)
}

// mergedByID joins the rows of several laps that no difference explains.
func mergedByID(rows []Row) (all []Row) {
	at := map[string]int{}
	for _, r := range rows {
		if i, known := at[r.ID]; known && r.isShown() {
			all[i].Laps = append(all[i].Laps, r.Laps...)
			continue
		}
		at[r.ID] = len(all)
		all = append(all, r)
	}
	return all
}

// conclude chooses the row's headline: the default lap if the difference was exercised there,
// else a lap that exercised it, else one with a verdict at all, else one that was answered.
func (r *Row) conclude() {
	r.LapResult = LapResult{Effect: term.NotExercised.Effect(), Reason: whyNot(r.Difference.Difference, r.Playable)}
	if r.NeedsWebhook {
		r.Reason = "a webhook converts the kind, and no file has its rules: add a conversion.yaml beside its definition"
	}
	best := -1
	for i, o := range r.Laps {
		if best < 0 || weight(o) > weight(r.Laps[best]) || weight(r.Laps[best]) == 0 && o.WasPlayed && !r.Laps[best].WasPlayed {
			best = i
		}
	}
	if best >= 0 {
		r.LapResult = r.Laps[best]
	}
	if r.Exercised && !r.Difference.Difference.IsGate() { // what was played tells more than what is published
		r.Reachable = r.Lap == term.DefaultLap
	}
	r.Exercised = r.hasVerdict()
	for i, o := range r.Laps {
		r.Laps[i].Exercised = o.hasVerdict()
	}
}

// hasVerdict reports whether servers showed what becomes of the difference: also one that refused a value, or
// answered a dry run, did.
func (o LapResult) hasVerdict() bool {
	return o.Outcome != term.NotExercised && o.Outcome != term.Indeterminate
}

// weight is how much an outcome says: the first of equals counts.
func weight(o LapResult) int {
	switch {
	case o.Lap == term.DefaultLap && (o.Exercised || slices.Contains(Harmful(), o.Effect)):
		return 3
	case o.Exercised:
		return 2
	case o.Outcome != term.NotExercised:
		return 1
	}
	return 0
}

// whyNot is why a row that no lap played has no verdict.
func whyNot(k term.DifferenceKind, isPlayed bool) string {
	switch {
	case k.IsRule():
		return "the rule was not tried"
	case k == term.StorageChanged && isPlayed:
		return "how its versions are converted is not known: see what was not compared"
	case !isPlayed || len(AllAims()[k]) == 0:
		return "listed only: no object of a sweep shows it"
	}
	return "no lap played it"
}

// sortRows sorts rows by what they cost the users of a cluster.
func sortRows(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.cost(), b.cost()), cmp.Compare(a.Effect.Rank(), b.Effect.Rank()),
			firstIf(a.Class == term.Violation, b.Class == term.Violation), firstIf(a.Reachable, b.Reachable), cmp.Compare(a.ID, b.ID))
	})
}

// cost ranks what a row costs: a definition that cannot be installed, then what is harmed, then the rest, and
// last what the old release alone does too.
func (r Row) cost() int {
	harmful := Harmful()
	at := slices.Index(harmful, r.Effect)
	switch {
	case r.PreExisting:
		return len(harmful) + 1
	case r.Uninstalled():
		return -1
	case at < 0:
		return len(harmful)
	}
	return at
}

// firstIf compares two rows: one of which something holds comes before one of which it does not.
func firstIf(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// book has the evidence of one lap by object and by row.
type book struct {
	lap       term.Lap
	of        Lap
	played    map[string]played   // by object
	byRow     map[string][]Object // by row
	baselines []played
	claims    []claim // what all rows are about
}

func newBook(lap Lap) *book {
	b := &book{lap: lap.Lap, of: lap, played: map[string]played{}, byRow: map[string][]Object{}}
	byCopy, runs := indexed(lap.Evidence)
	common, before := commonOf(lap.Objects, byCopy, runs), earlierFindings(lap)
	baselines, removed := map[string]string{}, map[string][]string{} // by kind
	for _, o := range lap.Objects {
		if o.Target.Baseline() {
			baselines[kindOf(o)] = o.Target.ID
		}
		if slices.ContainsFunc(o.Target.Rows, isOfRemoved) {
			removed[kindOf(o)] = append(removed[kindOf(o)], o.Target.Path)
		}
	}
	for _, o := range lap.Objects {
		e, known := runs[o.Target.ID]
		words := besides(o, e, baselines[kindOf(o)])
		if words != "" {
			o.Specimen.Reason = words
		}
		for _, row := range o.Target.Rows {
			b.byRow[row] = append(b.byRow[row], o)
		}
		if !known || words != "" {
			continue
		}
		p := playedOf(o)
		p.evidence, p.findings, p.common, p.removed = e, byCopy, common[kindOf(o)], removed[kindOf(o)]
		p.earlier, p.differences = before[kindOf(o)], lap.Scope.Whole
		if o.Target.Emptied {
			p.findings = withoutLosses(byCopy)
		}
		b.played[o.Target.ID] = p
		if o.Target.Baseline() {
			b.baselines = append(b.baselines, p)
		}
	}
	return b
}

// withoutLosses returns the findings on copies that are of no value.
func withoutLosses(byCopy map[string][]result.Finding) map[string][]result.Finding {
	all := make(map[string][]result.Finding, len(byCopy))
	for name, findings := range byCopy {
		all[name] = slices.DeleteFunc(slices.Clone(findings), func(f result.Finding) bool { return f.Path != "" })
	}
	return all
}

// isOfRemoved reports whether a row is of a field that the new release removed.
func isOfRemoved(row string) bool { return strings.HasPrefix(row, string(term.FieldRemoved)+"/") }

func kindOf(o Object) string { return o.Target.APIVersion + " " + o.Target.Kind }

// indexed returns the findings by copy, and the run of each object. Findings on a LIST have no
// copy: they are those of the copies that the LIST could not show.
func indexed(all []Evidence) (byCopy map[string][]result.Finding, runs map[string]Evidence) {
	byCopy, runs = map[string][]result.Finding{}, map[string]Evidence{}
	for _, e := range all {
		e = e.withNames()
		for _, f := range e.Findings {
			if f.Copy != "" && f.Order == 0 {
				byCopy[f.Copy] = append(byCopy[f.Copy], f)
			}
		}
		for _, c := range e.Copies {
			runs[ObjectOf(c.object)] = e
		}
	}
	return byCopy, runs
}

// commonOf returns the signatures of what the baselines show, by kind.
func commonOf(objects []Object, byCopy map[string][]result.Finding, runs map[string]Evidence) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, o := range objects {
		if !o.Target.Baseline() {
			continue
		}
		own := map[string]bool{}
		for _, name := range runs[o.Target.ID].of(o.Target.ID) {
			for _, f := range byCopy[name] {
				own[signature(f)] = true
			}
		}
		all[kindOf(o)] = own
	}
	return all
}

// objectsOf returns the objects of a row, and of those that it explains.
func (b *book) objectsOf(r Row) (all []Object) {
	for _, id := range append([]string{r.ID}, r.also...) {
		all = append(all, b.byRow[id]...)
	}
	return all
}

// outcome is what the lap shows of a row; false if the lap has no object for it.
func (b *book) outcome(r Row) (LapResult, bool) {
	objects := b.objectsOf(r)
	if len(objects) == 0 {
		return b.ofRule(r)
	}
	o := LapResult{Lap: b.lap, Object: objects[0].Target.ID, Origin: objects[0].Specimen.Origin, Effect: term.NotExercised.Effect()}
	var reasons []string
	defined := map[string]bool{} // by run
	for _, object := range objects {
		p, ran := b.played[object.Target.ID]
		if !ran {
			reasons = append(reasons, b.whyAbsent(r, object))
			continue
		}
		p = p.forRow(r, b.claims)
		o.WasPlayed = o.WasPlayed || p.isWritten()
		if p.evidence.IsPart && !p.exercised() {
			reasons = append(reasons, "its run ended before the other release met it")
		}
		cells, notes := p.cells()
		cells = inPart(cells, p.accepted())
		shows := p.exercised() && uses(r, object.Target, cells)
		if !shows && p.exercised() && !object.Target.Hidden {
			reasons = append(reasons, "no object used what is behind the gate")
		}
		if !p.exercised() || !shows && object.Target.Hidden {
			reasons = append(reasons, p.foreigns()...)
		}
		if shows && !o.Exercised {
			o.Exercised, o.Object, o.Origin = true, object.Target.ID, object.Specimen.Origin
		}
		if run := p.evidence.Run; !defined[run] {
			defined[run] = true
			refused, said := ofDefinition(p.evidence, r)
			cells, notes = append(cells, refused...), append(notes, said...)
		}
		o.Cells, o.Notes = append(o.Cells, cells...), append(o.Notes, notes...)
	}
	_, o.Unplayed = r.playable(b.of.Rules[r.ID])
	o.Cells = append(o.Cells, b.fromBaselines(r)...)
	b.addParts(r, &o)
	b.decide(&o, reasons)
	unshown(b.of, r, &o)
	if dry, tried := outcomeOfRule(b.of, r); tried && o.Outcome == term.NotExercised && dry.Outcome != term.NotExercised && !r.isOfOwners() {
		return dry, true // no journey shows what servers answered
	}
	return o, true
}

// whyAbsent returns why a run does not show an object of a row.
func (b *book) whyAbsent(r Row, o Object) string {
	switch {
	case r.Difference.Difference == term.PreferredChanged && b.of.Settings.Releases.Of == scenarios.ManifestComponent:
		return "one definition is installed at a time, so that no client is told of a version by one and meets the other: the rows of the versions show what becomes of their objects"
	case o.Played():
		return cmp.Or(o.Specimen.Reason, "the run ended before it was created")
	case o.Specimen.Reason == "":
		return "no valid object was made"
	}
	return "no valid object was made: " + o.Specimen.Reason
}

// uses reports whether an object shows something of a row. Of a gate, an object without the field that
// is behind it shows only what a release fills in: kept, it says nothing of what nobody used. Nor does an object
// that is kept show a rule that no refusal has named.
func uses(r Row, t Target, cells []Cell) bool {
	mayShowNothing := t.Hidden || r.Difference.Difference.IsGate() && t.Without != ""
	return !mayShowNothing || slices.ContainsFunc(cells, func(c Cell) bool { return c.Outcome != term.Kept })
}

// decide gives a row in one lap its outcome, the worst of its cells, and what goes with it.
func (b *book) decide(o *LapResult, reasons []string) {
	o.Cells = partlyFrozen(o.Cells)
	worst := worstOf(o.Cells)
	slices.Sort(reasons)
	reasons = slices.Compact(reasons)
	if worst < 0 {
		o.Exercised = false // nothing that was written says anything of the value
		o.Reason = cmp.Or(strings.Join(reasons, "; "), "its run shows nothing of it")
		return
	}
	c := o.Cells[worst]
	if !o.Exercised && c.Outcome == term.Kept {
		o.Reason = cmp.Or(strings.Join(reasons, "; "), "no stored version held the value")
		return
	}
	for _, cell := range o.Cells {
		if cell.Class == term.Violation && cell.PreExisting == c.PreExisting {
			o.Broken++
		}
	}
	o.Effect, o.Class, o.Rule, o.Cause, o.PreExisting = c.Effect, c.Class, c.Rule, c.Cause, c.PreExisting
	o.Reason = c.Message
	o.History = b.history(o.Object, c)
}

// worstOf returns the number of the cell that decides a verdict; -1: there is none.
func worstOf(cells []Cell) int {
	worst := -1
	for i, c := range cells {
		if worst < 0 || c.outranks(cells[worst]) {
			worst = i
		}
	}
	return worst
}

// outranks reports whether a cell says more of a difference than another one: what begins with it comes before
// what was there already, then the worse fate, then what breaks a rule, then what a rule permits.
func (c Cell) outranks(other Cell) bool {
	switch own, its := c.weight(), other.weight(); {
	case own != its:
		return own > its
	case c.Effect != other.Effect:
		return c.Effect.WorseThan(other.Effect)
	}
	return c.Class != other.Class && (other.Class == "" || c.Class == term.Violation)
}

// weight is how much a cell says of a difference.
func (c Cell) weight() int {
	switch {
	case !c.Effect.WorseThan(term.Kept.Effect()):
		return 0
	case c.PreExisting:
		return 1
	}
	return 2
}

// history is the address of a cell in the run's report.
func (b *book) history(object string, c Cell) string {
	run := b.played[object].evidence.Run
	if run == "" {
		return ""
	}
	parts := WithoutEmpty([]string{fmt.Sprintf("step-%d", c.Step), url.PathEscape(c.Copy), url.PathEscape(c.Path)})
	return run + "/report.html#" + strings.Join(parts, "/") + "?object=" + url.QueryEscape(object)
}
