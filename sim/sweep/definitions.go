package sweep

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
)

// unshown takes the verdict "kept" from a row whose harm no object of a sweep can show, and gives it
// the reason. Definitions are replaced and not deleted, so nothing that was played says what a
// deletion does; and each manager applies whole objects, so nothing says what one that applies a part
// of a list or map does to the others' parts.
func unshown(lap Lap, r Row, o *LapResult) {
	reason := ""
	switch of := r.Difference; {
	case o.Outcome != term.Kept:
	case of.Difference == term.KindRemoved && lap.Settings.Releases.Of == scenarios.ManifestComponent:
		reason = "a sweep leaves the old definition in place, which serves what is stored; where it is deleted, a server deletes all objects of the kind with it"
	case r.isOfOwners() && !lap.hasShared(r) && !lap.Rules[r.ID].Alike() && len(lap.Rules[r.ID].Trials) == 0:
		reason = "no manager applied a part of the value: where it is atomic, an apply of a part removes the parts of other managers; whole values were kept"
		if why := lap.Rules[r.ID].Reason; why != "" {
			reason += "; " + why
		}
	}
	if reason != "" {
		o.Effect, o.Exercised, o.Reason = term.NotExercised.Effect(), false, reason
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
			row := definitionRow(rows[i])
			o := LapResult{Lap: b.lap, WasPlayed: true, Exercised: true}
			o.Cells, _ = ofDefinition(e, row)
			b.decide(&o, nil)
			row.Laps = []LapResult{o}
			all = append(all, row)
		}
	}
	return all
}

// definitionRow returns the row of the definition of another row's kind.
func definitionRow(of Row) Row {
	d := diff.Difference{Difference: term.BehaviourChanged, Group: of.Group, Version: of.Version, Kind: of.Kind, Name: "definition", Playable: true}
	d.Places = []diff.Place{{APIVersion: GroupVersion(d.Group, d.Version), Kind: d.Kind}}
	return Row{ID: RowID(d), Difference: d, Reachable: true}
}

// RefusedDefinition is the definition of a kind that a server refuses in place of the other release's,
// whatever objects there are.
type RefusedDefinition struct {
	Group, Kind string
	Of          term.Role // the release whose definition it is
	Stage       string    // of the roll-out that would install it
	Message     string    // the server's
	Cause       term.Cause
}

// OnceStored is what a server says to the new definition of a kind, if the cluster has once stored objects in a
// version that this definition drops, and the old release stores none in it.
type OnceStored struct{ Group, Kind, Version, Message string }

// AddDefinitions gives rows what servers say to definitions without any object. A refusal that a lap shows is
// there already.
func AddDefinitions(rows []Row, own Scope, refused []RefusedDefinition, once []OnceStored) []Row {
	for _, d := range refused {
		if len(own.Paths) > 0 || !own.HasKind(d.Group+"/", d.Kind) {
			continue
		}
		rows = d.add(rows)
	}
	for _, v := range once {
		for i, r := range rows {
			if r.Kind == v.Kind && r.Group == v.Group && r.Version == v.Version {
				v.addTo(&rows[i])
			}
		}
	}
	return rows
}

// add adds the refusal to the row about the versions of the kind, or else to a row of its own. A kind without
// any row is none of the sweep's.
func (d RefusedDefinition) add(rows []Row) []Row {
	isOf := func(r Row) bool { return r.Kind == d.Kind && r.Group == d.Group }
	if slices.ContainsFunc(rows, func(r Row) bool { return isOf(r) && slices.ContainsFunc(r.Laps, d.isIn) }) {
		return rows
	}
	i := -1
	for _, k := range []term.DifferenceKind{term.StorageChanged, term.VersionAdded, term.VersionRemoved} {
		if i < 0 {
			i = slices.IndexFunc(rows, func(r Row) bool { return isOf(r) && r.Difference.Difference == k })
		}
	}
	if i < 0 {
		i = slices.IndexFunc(rows, func(r Row) bool {
			return isOf(r) && r.Name == "definition" && r.Difference.Difference == term.BehaviourChanged
		})
	}
	if i < 0 {
		of := slices.IndexFunc(rows, isOf)
		if of < 0 {
			return rows
		}
		i, rows = len(rows), append(rows, definitionRow(rows[of]))
	}
	o := defaultOutcome(&rows[i])
	o.Cells = append(o.Cells, Cell{
		Write: "definition of " + releaseWords(d.Of) + " installed, in a dry run", Stage: d.Stage,
		Effect: term.Refused.Effect(), Class: term.Violation, Rule: term.RuleInstallable, Cause: d.Cause, Message: d.Message,
	})
	o.Broken++
	if o.Outcome == term.NotExercised || o.Outcome == term.Indeterminate || term.Refused.Effect().WorseThan(o.Effect) {
		o.Effect, o.Class, o.Rule, o.Cause, o.Reason = term.Refused.Effect(), term.Violation, term.RuleInstallable, d.Cause, d.Message
	}
	return rows
}

// isIn reports whether an outcome has the refusal already.
func (d RefusedDefinition) isIn(o LapResult) bool {
	return slices.ContainsFunc(o.Uninstallable(), func(c Cell) bool { return (c.Stage == StageRolledBack) == (d.Of == term.Old) })
}

// addTo gives the row of a version what a cluster meets that once stored objects in it. A version that clients
// could use has an outcome of its own.
func (v OnceStored) addTo(r *Row) {
	message := fmt.Sprintf("a cluster that has once stored objects in %s, as status.storedVersions of its definition says, cannot take the new definition: %s", v.Version, v.Message)
	switch r.Difference.Difference {
	case term.UnservedRemoved:
		r.Reachable = true
		o := defaultOutcome(r)
		o.WasPlayed, o.Exercised = true, true // a server answered: no object is asked for
		o.Effect, o.Cause, o.Reason = term.Refused.Effect(), term.BadVersion, message
		o.Cells = append(o.Cells, Cell{Write: "definition of the new release installed where status.storedVersions names " + v.Version, Stage: StageNew, Effect: o.Effect, Cause: o.Cause, Message: message})
	case term.VersionRemoved:
		o := defaultOutcome(r)
		o.Notes = append(o.Notes, message)
	}
}

// defaultOutcome returns the row's outcome in the default lap, and adds one that shows nothing where there is none.
func defaultOutcome(r *Row) *LapResult {
	i := slices.IndexFunc(r.Laps, func(o LapResult) bool { return o.Lap == term.DefaultLap })
	if i < 0 {
		i = len(r.Laps)
		r.Laps = append(r.Laps, LapResult{Lap: term.DefaultLap, Effect: term.NotExercised.Effect(), Reason: whyNot(r.Difference.Difference, r.Playable)})
	}
	return &r.Laps[i]
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
			Effect: ruling.EffectOf(f), Class: f.Class, Rule: f.Rule, Cause: f.Cause, Message: f.Message,
		})
	}
	return cells, notes
}
