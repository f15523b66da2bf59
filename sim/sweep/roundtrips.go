package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/result"
)

// Pair is a kind in one API version, and another one that a webhook of the new release converts it to and from:
// clients of the one read what clients of the other wrote, and write it back (rule-4).
type Pair struct {
	Kind
	Through string // the other API version
	// Alone reports that the old release does not serve the kind in its version: only the new one creates
	// an object of it.
	Alone bool
	// HasStatus reports that the new release serves /status of the kind in its version.
	HasStatus bool
}

// PairsOf returns the pairs of versions that the new release serves and its webhook converts.
func PairsOf(release published.Release, served map[term.Role][]Kind) (all []Pair) {
	versions := map[GroupKind][]Kind{}
	for _, r := range release.Resources {
		k := Kind{APIVersion: r.APIVersion, Kind: r.Kind}
		if r.Conversion == byWebhook && slices.Contains(served[term.New], k) {
			of := k.ofGroup()
			versions[of] = append(versions[of], k)
		}
	}
	for _, r := range release.Resources { // in the order of the release
		k := Kind{APIVersion: r.APIVersion, Kind: r.Kind}
		if of := versions[k.ofGroup()]; slices.Contains(of, k) {
			for _, other := range of {
				if other != k {
					all = append(all, Pair{
						Kind: k, Through: other.APIVersion, Alone: !slices.Contains(served[term.Old], k), HasStatus: slices.Contains(r.Subresources, term.StatusPart),
					})
				}
			}
		}
	}
	return all
}

func (k Kind) ofGroup() GroupKind {
	group, _ := CutAPIVersion(k.APIVersion)
	return GroupKind{Group: group, Kind: k.Kind}
}

// row is the row of a pair. With a path it is of what became of one field, by its effect.
func (p Pair) row(field, effect string) Row {
	_, through := CutAPIVersion(p.Through)
	d := diff.Difference{Difference: term.RoundTrip, Kind: p.Kind.Kind, Path: field, Name: through, Playable: true}
	d.Group, d.Version = CutAPIVersion(p.APIVersion)
	d.Places = []diff.Place{{APIVersion: p.APIVersion, Kind: p.Kind.Kind, Path: field}}
	return Row{ID: strings.Join(WithoutEmpty([]string{RowID(d), effect}), "/"), Difference: d, Reachable: true}
}

// pairID is the ID of the row's pair of versions; "": the row is of none.
func (r Row) pairID() string {
	d := r.Difference
	if d.Difference != term.RoundTrip {
		return ""
	}
	d.Path = ""
	return RowID(d)
}

// isShownBy reports whether an object shows the pair: a baseline, or where the old release has none, the one that
// is created for pairs.
func (p Pair) isShownBy(t Target) bool {
	return t.APIVersion == p.APIVersion && t.Kind == p.Kind.Kind && (t.Baseline() || t.isForPairs())
}

// isForPairs reports whether the object is created for pairs of versions alone.
func (t Target) isForPairs() bool {
	return slices.ContainsFunc(t.Rows, func(row string) bool { return strings.HasPrefix(row, string(term.RoundTrip)+"/") })
}

// addPairs wants an object with as many fields as possible of each version of a pair that only the new release
// serves. Of the others there are baselines.
func (w *wanted) addPairs(o Options) {
	for _, p := range o.Pairs {
		t := Target{Release: term.New, Form: term.Treated, Alone: true}
		t.APIVersion, t.Kind, t.Filled = p.APIVersion, p.Kind.Kind, true
		if p.Alone && t.InPart(o.Scope) {
			w.put(t, "through", p.row("", "").ID)
		}
	}
}

// addStatuses wants an object with a status of each version of a pair that has an object without one: a status is
// written apart from the object, and a conversion converts it too.
func (w *wanted) addStatuses(o Options) {
	for _, p := range o.Pairs {
		if !p.HasStatus || !slices.ContainsFunc(w.all, p.isShownBy) {
			continue
		}
		t := baselineOf(p.APIVersion, p.Kind.Kind)
		if p.Alone {
			t.Release, t.Form, t.Alone = term.New, term.Treated, true
		}
		t.Path = "." + term.StatusPart
		w.put(t, term.StatusPart+"-through", p.row("", "").ID)
	}
}

// ofPairs are the findings on the object's copies, and on those that the other release was offered for the sake of
// pairs: where that release refuses the object, it says nothing of a conversion.
func (p played) ofPairs() (all []result.Finding) {
	for _, f := range p.evidence.Findings {
		refused := f.Verb.Creates() && f.Path == ""
		isOffered := p.object.Target.Paired && f.Object == p.object.Target.ID+OfferedSuffix && !refused
		if (f.Object == p.object.Target.ID || isOffered) && f.Order == 0 && f.Copy != "" && !isUnfitCondition(f) {
			all = append(all, f)
		}
	}
	return all
}

// isUnfitCondition reports whether a finding is that a server does not take a part of the condition which skewsim itself
// writes, whatever the kind publishes of conditions: that is nobody's value.
func isUnfitCondition(f result.Finding) bool {
	return f.Outcome == term.Dropped && strings.HasPrefix(f.Path, path.String(plan.ConditionPath()))
}

// pairOf returns the pair that a finding on a copy is of: the copy was written in the other version, and the
// copies that were written in their own alone have no such finding at that stage. False: it is of no pair.
func (b *book) pairOf(p played, f result.Finding) (Pair, bool) {
	through := p.evidence.copyOf(f.Copy).through()
	i := slices.IndexFunc(b.of.Pairs, func(of Pair) bool { return of.Through == through && of.isShownBy(p.object.Target) })
	if through == "" || i < 0 {
		return Pair{}, false
	}
	isOfKind := slices.ContainsFunc(p.ofPairs(), func(g result.Finding) bool {
		return p.evidence.copyOf(g.Copy).through() == "" && FieldOf(g.Path) == FieldOf(f.Path) && g.Outcome == f.Outcome && g.Stage == f.Stage
	})
	if isOfKind {
		return Pair{}, false
	}
	return b.of.Pairs[i], true
}

// through is the API version in which the copy was written, if it is another one than the object's.
func (c copyEvidence) through() string {
	for _, w := range c.writes {
		if w.APIVersion != "" {
			return w.APIVersion
		}
	}
	return ""
}

// roundTrips are the rows of the pairs of which no finding has a row: what was written and read back is kept, or
// why no object shows it.
func (b *book) roundTrips(shown []Row) (all []Row) {
	for _, pair := range b.of.Pairs {
		row := pair.row("", "")
		has := func(r Row) bool { return r.pairID() == row.pairID() }
		if b.of.Scope.HasUnexplained(pair.APIVersion, pair.Kind.Kind) && !slices.ContainsFunc(shown, has) {
			row.Laps = []LapResult{b.roundTrip(pair, row, shown)}
			all = append(all, row)
		}
	}
	return all
}

// roundTrip is what the objects of a pair show of which no finding has a row.
func (b *book) roundTrip(pair Pair, row Row, shown []Row) LapResult {
	o := LapResult{Lap: b.lap, Effect: term.NotExercised.Effect(), Notes: pair.notesOf(shown)}
	var reasons []string
	status := roundTripped{refusals: []string{"no object with one was made"}}
	var all roundTripped
	for _, object := range b.of.Objects {
		if !pair.isShownBy(object.Target) {
			continue
		}
		of, played := b.roundTripOf(pair, row, object)
		o.WasPlayed = o.WasPlayed || played
		if object.Target.Path != "" {
			status = of
		} else {
			o.Object, o.Origin = object.Target.ID, object.Specimen.Origin
			reasons = append(reasons, of.refusals...)
		}
		all.add(of)
	}
	o.Exercised = len(all.cells) > 0
	if o.Exercised {
		all.cells = append(all.cells, pair.unexercised(all)...)
	}
	if pair.HasStatus && !status.hasStatus && o.Object != "" {
		all.notes = append(all.notes, "what becomes of a status is not exercised: "+strings.Join(WithoutEmpty(status.refusals), "; "))
	}
	o.Cells, o.Notes = all.cells, append(o.Notes, all.notes...)
	slices.Sort(o.Notes)
	o.Notes = slices.Compact(o.Notes)
	switch {
	case o.Object == "":
		reasons = []string{fmt.Sprintf("a sweep of more than %d kinds plays those that differ: name the kind with --kind", MaxKinds)}
	case len(reasons) == 0 && len(o.Notes) > 0:
		reasons = []string{"other rows of the kind say what became of it"}
	case len(reasons) == 0:
		reasons = []string{"no object was written in the other version"}
	}
	b.decide(&o, reasons)
	return o
}

// roundTripped is what objects show of a pair.
type roundTripped struct {
	cells []Cell
	// notes are on findings that have a row of their own, refusals why servers refused a write.
	notes, refusals []string
	// through are the releases through which a copy was both created and written in the other version.
	through []term.Role
	// hasStatus reports that a cell is of a copy with a status.
	hasStatus bool
}

func (r *roundTripped) add(of roundTripped) {
	r.cells, r.notes = append(r.cells, of.cells...), append(r.notes, of.notes...)
	r.refusals, r.through = append(r.refusals, of.refusals...), append(r.through, of.through...)
}

// roundTripOf is what one object shows of a pair, and whether a server answered a write of it.
func (b *book) roundTripOf(pair Pair, row Row, object Object) (of roundTripped, wasPlayed bool) {
	p, ran := b.played[object.Target.ID]
	switch {
	case !ran:
		return roundTripped{refusals: []string{b.whyAbsent(row, object)}}, false
	case p.evidence.IsPart: // what was written last may not have been read
		return roundTripped{refusals: []string{"its run ended early"}}, false
	}
	return p.writtenIn(pair.Through), p.isWritten()
}

// unexercised are the cells of the releases through which no copy went whole: what one release created, its own
// program converted, and the other one's did not convert that way.
func (p Pair) unexercised(all roundTripped) (cells []Cell) {
	for _, role := range []term.Role{term.Old, term.New} {
		if p.Alone && role == term.Old || slices.Contains(all.through, role) {
			continue
		}
		reason := "no copy was created and then written in the other version through it"
		if len(all.refusals) > 0 {
			reason += ": " + strings.Join(all.refusals, "; ")
		}
		cells = append(cells, Cell{Write: "create and put of a label " + throughWords(role, ""), Effect: term.NotExercised.Effect(), Message: reason})
	}
	return cells
}

// notesOf are notes on what every write of the pair's kind loses or changes by conversion, which rows of the kind have.
func (p Pair) notesOf(shown []Row) (notes []string) {
	for _, r := range shown {
		if r.Difference.Difference != term.BehaviourChanged || r.Kind != p.Kind.Kind || GroupVersion(r.Group, r.Version) != p.APIVersion {
			continue
		}
		for _, c := range r.Laps[0].Cells {
			if c.Cause == term.Converted && c.Path != "" {
				notes = append(notes, fmt.Sprintf("%s: %s by writes in the kind's own version too, which has a row of its own", c.Path, c.Effect))
			}
		}
	}
	return notes
}

// writtenIn is what copies show that were written in another version: a cell for each write that servers took, without
// those of which something was found.
func (p played) writtenIn(version string) (all roundTripped) {
	var names []string
	for _, copies := range []map[string]copyEvidence{p.evidence.Copies, p.evidence.Controls} {
		for name, c := range copies {
			if ObjectOf(c.object) == p.object.Target.ID {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	byCopy := map[string][]result.Finding{}
	for _, f := range p.ofPairs() {
		byCopy[f.Copy] = append(byCopy[f.Copy], f)
	}
	for _, name := range names {
		c, found := p.evidence.copyOf(name), byCopy[name]
		for _, w := range c.writes {
			switch {
			case w.Birth && w.refused():
				all.refusals = append(all.refusals, refusalOf(w))
			case w.APIVersion != version || !w.Verb.Writes() || w.code/100 != 2 && p.mayNotFit(w):
			case w.code/100 != 2:
				all.refusals = append(all.refusals, refusalOf(w))
			default:
				all.through = append(all.through, c.bornThrough(w.ViaRole)...)
				if !slices.ContainsFunc(found, func(f result.Finding) bool { return f.Step == w.Number }) {
					status := c.withStatus(w.Number)
					all.hasStatus = all.hasStatus || status != ""
					all.cells = append(all.cells, Cell{Write: p.wordsOf(w) + status, Stage: w.stage, Copy: name, Step: w.Number, Effect: term.Kept.Effect()})
				}
			}
		}
		for _, f := range found {
			if c.through() == version {
				all.notes = append(all.notes, noteOf(f))
			}
		}
	}
	all.refusals = WithoutEmpty(all.refusals)
	return all
}

// withStatus says that the copy has a status by a step, if one was written.
func (c copyEvidence) withStatus(step int) string {
	if slices.ContainsFunc(c.writes, func(w write) bool { return w.Part() == term.StatusPart && w.Number <= step && w.code/100 == 2 }) {
		return ", with a status"
	}
	return ""
}

// bornThrough returns a release if the copy was created through it.
func (c copyEvidence) bornThrough(role term.Role) []term.Role {
	if slices.ContainsFunc(c.writes, func(w write) bool { return w.Birth && w.ViaRole == role && w.code/100 == 2 }) {
		return []term.Role{role}
	}
	return nil
}
