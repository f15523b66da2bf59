package sweep

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep/fate"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

// unshown takes the verdict "kept" from a row whose harm no object of a sweep can show, and gives it
// the reason. Definitions are replaced and not deleted, so nothing that was played says what a
// deletion does; and each manager applies whole objects, so nothing says what one that applies a part
// of a list or map does to the others' parts.
func unshown(lap Lap, r Row, o *Outcome) {
	reason := ""
	switch of := r.Difference; {
	case o.Verdict != term.FateKept:
	case of.Difference == term.KindRemoved && lap.Settings.Releases.Of == scenarios.ManifestComponent:
		reason = "a sweep leaves the old definition in place, which serves what is stored; where it is deleted, a server deletes all objects of the kind with it"
	case r.isOfOwners() && !lap.hasShared(r) && !lap.Rules[r.ID].Alike() && len(lap.Rules[r.ID].Trials) == 0:
		reason = "no manager applied a part of the value: where it is atomic, an apply of a part removes the parts of other managers; whole values were kept"
		if why := lap.Rules[r.ID].Reason; why != "" {
			reason += "; " + why
		}
	}
	if reason != "" {
		o.Verdict, o.Exercised, o.Reason = term.FateNotExercised, false, reason
	}
}

// hasShared reports whether a journey has an object whose parts several managers own.
func (l Lap) hasShared(r Row) bool {
	return slices.ContainsFunc(l.Objects, func(o Object) bool {
		return o.Target.Shared && o.Played() && slices.Contains(o.Target.Rows, r.ID) && len(o.part()) > 0
	})
}

// uninstalled returns a row for each definition that servers refused in a roll-out and that has no row of
// its own: all that differs is in fields and rules, whose rows say only that the definition before it stayed.
func (b *book) uninstalled(rows []Row) (all []Row) {
	for _, e := range b.of.Evidence {
		for _, f := range e.Findings {
			isOf := func(r Row) bool { return f.Defines != "" && r.Kind+"."+r.Group == f.Defines }
			i := slices.IndexFunc(rows, isOf)
			hasOwn := func(r Row) bool { return isOf(r) && r.Path == "" && len(b.objectsOf(r)) > 0 }
			if f.Check != term.CheckInstalls || i < 0 || slices.ContainsFunc(rows, hasOwn) || slices.ContainsFunc(all, isOf) {
				continue
			}
			d := diff.Difference{Difference: term.BehaviourChanged, Group: rows[i].Group, Version: rows[i].Version, Kind: rows[i].Kind, Name: "definition", Playable: true}
			d.Places = []diff.Place{{APIVersion: identity.GroupVersion(d.Group, d.Version), Kind: d.Kind}}
			row := Row{ID: identity.RowID(d), Difference: d, Reachable: true}
			o := Outcome{Lap: b.lap, WasPlayed: true, Exercised: true}
			o.Cells, _ = ofDefinition(e, row)
			b.decide(&o, nil)
			row.Laps = []Outcome{o}
			all = append(all, row)
		}
	}
	return all
}

// ofDefinition returns the cells of the definition of a row's kind that servers refused in a
// roll-out. A row about a field has notes in their place: the roll-out did not reach the kind, and
// the difference between two versions of the kind is why.
func ofDefinition(e Evidence, r Row) (cells []Cell, notes []string) {
	for _, f := range e.Findings {
		if f.Check != term.CheckInstalls || f.Defines == "" || f.Defines != r.Kind+"."+r.Group {
			continue
		}
		if r.Path != "" {
			notes = append(notes, fmt.Sprintf("the definition of %s was refused at %s, so the definition before it stayed", releaseWords(f.Via), f.Stage))
			continue
		}
		cells = append(cells, Cell{
			Write: "definition of " + releaseWords(f.Via) + " installed", Stage: f.Stage, Step: f.Step,
			Fate: fate.Of(f), Class: f.Class, Rule: f.Rule, Cause: f.Cause, Message: f.Message,
		})
	}
	return cells, notes
}
