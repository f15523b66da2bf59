package sweep

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/result"
)

// fromBaselines are the cells of a row's kind that a baseline shows at the row's field: an
// object without the value is treated differently too.
func (b *book) fromBaselines(r Row) (cells []Cell) {
	for _, p := range b.baselines {
		for _, f := range p.own() {
			if explains(r.Difference, p.object.Target, f) {
				p, of := p.forRow(r, b.claims), p.evidence.copyOf(f.Copy)
				if !p.mayUseFinding(f, of) {
					continue
				}
				if c := p.found(f, of); c.Outcome != "" {
					cells = append(cells, c)
				}
			}
		}
	}
	return cells
}

// ofRule is the outcome of a rule that no object was made for: what dry runs say, or what is worse, as
// baselines show it.
func (b *book) ofRule(r Row) (LapResult, bool) {
	o, tried := outcomeOfRule(b.of, r)
	shown := LapResult{Lap: b.lap, Cells: b.fromBaselines(r), WasPlayed: true, Exercised: true, Effect: term.NotExercised.Effect()}
	for _, p := range b.baselines {
		if of := p.object; of.Target.APIVersion == GroupVersion(r.Group, r.Version) && of.Target.Kind == r.Kind {
			shown.Object, shown.Origin = of.Target.ID, of.Specimen.Origin
		}
	}
	if b.decide(&shown, nil); tried && shown.Effect.WorseThan(term.Kept.Effect()) && shown.Effect.WorseThan(o.Effect) {
		return shown, true
	}
	return o, tried
}

// explains reports whether a finding on a baseline is at the field of a difference, or about the
// whole object where the difference is about the whole kind.
func explains(d diff.Difference, t Target, f result.Finding) bool {
	return slices.ContainsFunc(everyPlace(d), func(p diff.Place) bool {
		if p.APIVersion != t.APIVersion || p.Kind != t.Kind {
			return false
		}
		switch {
		case p.Path == "" || f.Path == "":
			return p.Path == f.Path
		case isOfValue(d.Difference):
			return Within(FieldOf(f.Path), p.Path)
		case d.Difference == term.DefaultChanged && fillsInOther(d, p, FieldOf(f.Path)):
			return true
		}
		return isSameField(FieldOf(f.Path), p.Path)
	})
}

// isOfValue reports whether a difference explains whatever is within its field. Others are about
// how the field itself is declared.
func isOfValue(k term.DifferenceKind) bool {
	return k == term.FieldAdded || k == term.FieldRemoved || k == term.TypeChanged || k == term.TagChanged || k.IsGate()
}

// fillsInOther reports whether the defaults of a struct, list or map at a place differ in what they make of a
// field within it.
func fillsInOther(d diff.Difference, at diff.Place, field string) bool {
	if !Within(field, at.Path) || isSameField(field, at.Path) {
		return false
	}
	var old, new any // nil: no default, nor text that is JSON
	_ = json.Unmarshal([]byte(d.Old), &old)
	_ = json.Unmarshal([]byte(d.New), &new)
	return differAt(old, new, parseField(field)[len(parseField(at.Path)):])
}

// differAt reports whether two defaults differ at a field within them. An element that one list alone has, or a
// struct that one default alone has, differs in all that it holds: defaults of its own fill in the rest.
func differAt(one, other any, field []string) bool {
	if one == nil || other == nil || len(field) == 0 {
		return !reflect.DeepEqual(one, other)
	}
	ofOne, isStruct := one.(map[string]any)
	if ofOther, both := other.(map[string]any); isStruct && both {
		return differAt(ofOne[field[0]], ofOther[field[0]], field[1:])
	}
	elements, isList := one.([]any)
	others, both := other.([]any)
	if !isList || !both || len(elements) != len(others) {
		return true
	}
	for i := range elements {
		if differAt(elements[i], others[i], field[1:]) {
			return true
		}
	}
	return false
}

// own are the findings on the object's copies, in the order of steps.
func (p played) own() (all []result.Finding) {
	for _, f := range p.evidence.Findings {
		if f.Object == p.object.Target.ID && f.Order == 0 && f.Copy != "" {
			all = append(all, f)
		}
	}
	return all
}

// isExplained reports whether a row, or a difference that this sweep does not play, explains a finding
// on a baseline. That a version is new explains nothing of what a write in another one does.
func (b *book) isExplained(rows []Row, t Target, f result.Finding, ofPair bool) bool {
	does := func(d diff.Difference) bool {
		isNew := d.Difference == term.VersionAdded || d.Difference == term.KindAdded
		return d.Playable && !(ofPair && isNew) && explains(d, t, f)
	}
	return slices.ContainsFunc(rows, func(r Row) bool { return does(r.Difference) }) || slices.ContainsFunc(b.of.Scope.Whole, does)
}

// ofKind reports whether a finding is about the whole kind, whatever the values of the object that shows
// it: whether a release counts the changes of a spec only an object shows whose spec is changed.
func ofKind(f result.Finding) bool { return f.Path == ".metadata.generation" }

// behaviour are the rows of what no difference explains: of what baselines show, and of what others show
// of their kind. There is one for each path and fate of a kind.
func (b *book) behaviour(rows []Row) (all []Row) {
	at := map[string]int{}
	for _, o := range b.of.Objects {
		p, ran := b.played[o.Target.ID]
		if !ran || !o.Target.InPart(b.of.Scope) {
			continue // another part has them
		}
		for _, f := range p.ofPairs() {
			pair, isOfPair := b.pairOf(p, f)
			ownRows := o.Target.Baseline() || o.Target.isForPairs() // the object is for no difference
			if !ownRows && !ofKind(f) || b.isExplained(rows, p.object.Target, f, isOfPair) {
				continue
			}
			c := p.found(f, p.evidence.copyOf(f.Copy))
			if c.Outcome == "" || c.Outcome == term.Kept {
				continue
			}
			row := behaviourRow(p.object.Target, f, c)
			if isOfPair {
				row = pair.row(row.Path, c.Effect.String())
				row.Old, row.New = valuesOf(f)
			}
			i, known := at[row.ID]
			if !known {
				i = len(all)
				at[row.ID] = i
				row.Laps = []LapResult{{Lap: b.lap, Object: p.object.Target.ID, Origin: p.object.Specimen.Origin, WasPlayed: true, Exercised: true}}
				all = append(all, row)
			}
			all[i].Laps[0].Cells = append(all[i].Laps[0].Cells, c)
		}
	}
	for i := range all {
		b.decide(&all[i].Laps[0], nil)
	}
	return all
}

// behaviourRow is the row of a finding that no difference explains.
func behaviourRow(t Target, f result.Finding, c Cell) Row {
	d := diff.Difference{Difference: term.BehaviourChanged, Kind: t.Kind, Path: FieldOf(f.Path), Name: c.Effect.String(), Playable: true}
	d.Group, d.Version = CutAPIVersion(t.APIVersion)
	d.Places = []diff.Place{{APIVersion: t.APIVersion, Kind: t.Kind, Path: d.Path}}
	d.Old, d.New = valuesOf(f)
	return Row{ID: RowID(d), Difference: d, Reachable: true}
}

// valuesOf are the value that a finding is of, and what became of it.
func valuesOf(f result.Finding) (before, after string) {
	return TextOf(f.Before), cmp.Or(TextOf(f.After), string(f.Outcome))
}
