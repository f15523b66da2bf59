package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
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
					all = append(all, Pair{Kind: k, Through: other.APIVersion, Alone: !slices.Contains(served[term.Old], k)})
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

// pairOf returns the pair that a finding on a copy is of: the copy was written in the other version, and the
// copies that were written in their own alone have no such finding. False: it is of no pair.
func (b *book) pairOf(p played, f result.Finding) (Pair, bool) {
	through := p.evidence.copyOf(f.Copy).through()
	i := slices.IndexFunc(b.of.Pairs, func(of Pair) bool { return of.Through == through && of.isShownBy(p.object.Target) })
	if through == "" || i < 0 {
		return Pair{}, false
	}
	isOfKind := slices.ContainsFunc(p.own(), func(g result.Finding) bool {
		return p.evidence.copyOf(g.Copy).through() == "" && FieldOf(g.Path) == FieldOf(f.Path) && g.Outcome == f.Outcome
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
			row.Laps = []LapResult{b.roundTrip(pair, row)}
			all = append(all, row)
		}
	}
	return all
}

// roundTrip is what the objects of a pair show of which no finding has a row.
func (b *book) roundTrip(pair Pair, row Row) LapResult {
	o := LapResult{Lap: b.lap, Effect: term.NotExercised.Effect()}
	var reasons []string
	for _, object := range b.of.Objects {
		if !pair.isShownBy(object.Target) {
			continue
		}
		o.Object, o.Origin = object.Target.ID, object.Specimen.Origin
		p, ran := b.played[object.Target.ID]
		switch {
		case !ran:
			reasons = append(reasons, b.whyAbsent(row, object))
			continue
		case p.evidence.IsPart: // what was written last may not have been read
			reasons = append(reasons, "its run ended early")
			continue
		}
		o.WasPlayed = o.WasPlayed || p.isWritten()
		cells, notes, refusals := p.writtenIn(pair.Through)
		o.Cells, o.Notes, reasons = append(o.Cells, cells...), append(o.Notes, notes...), append(reasons, refusals...)
	}
	slices.Sort(o.Notes)
	o.Notes = slices.Compact(o.Notes)
	o.Exercised = len(o.Cells) > 0
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

// writtenIn are the cells of the writes in another version that servers took, by the release of the webhook, without those of
// which something was found; notes on what was found on their copies; and why servers refused some.
func (p played) writtenIn(version string) (cells []Cell, notes, refusals []string) {
	id := p.object.Target.ID
	names := p.evidence.of(id)
	for name, c := range p.evidence.Controls {
		if c.object == id {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	byCopy := map[string][]result.Finding{}
	for _, f := range p.own() {
		byCopy[f.Copy] = append(byCopy[f.Copy], f)
	}
	for _, name := range names {
		c, found := p.evidence.copyOf(name), byCopy[name]
		for _, w := range c.writes {
			switch {
			case w.APIVersion != version || !w.Verb.Writes():
			case w.code/100 != 2:
				refusals = append(refusals, refusalOf(w))
			case !slices.ContainsFunc(found, func(f result.Finding) bool { return f.Step == w.Number }):
				cells = append(cells, Cell{Write: p.wordsOf(w), Stage: w.stage, Copy: name, Step: w.Number, Effect: term.Kept.Effect()})
			}
		}
		for _, f := range found {
			if c.through() == version {
				notes = append(notes, noteOf(f))
			}
		}
	}
	return cells, notes, WithoutEmpty(refusals)
}
