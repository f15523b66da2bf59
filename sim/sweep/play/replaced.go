package play

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep"
)

// immovable is a definition that cannot take the place of the old release's: servers never change
// the scope or the names of an existing definition. Its kind is not played.
type immovable struct {
	name        string // of the definition; of both, with a comma, if the names differ
	kind, group string
	said        string // the old release's server, to the new definition
	cause       term.Cause
}

// isOf reports whether a kind of a group is the definition's.
func (m immovable) isOf(kind, group string) bool { return m.kind == kind && m.group == group }

// definition is what servers never change.
type definition struct {
	Spec struct {
		Group string `json:"group"`
		Scope string `json:"scope"`
		Names struct {
			Kind   string `json:"kind"`
			Plural string `json:"plural"`
		} `json:"names"`
	} `json:"spec"`
}

// findImmovable asks the server of the old definitions about each new one that has another scope or
// another kind, as a dry run.
func findImmovable(ctx context.Context, s *session, on *try.Server) error {
	old, new := s.builds[term.Old].Installs, s.builds[term.New].Installs
	if old == nil || new == nil {
		return nil
	}
	for n, name := range new.Defines {
		after := placeOfDefinition(new, n)
		i := slices.Index(old.Defines, name)
		if i < 0 {
			addRenamed(s, old, name, after)
			continue
		}
		if placeOfDefinition(old, i) == after {
			continue
		}
		a, err := dryRun(ctx, on, name, new.Objects[n])
		if err != nil {
			return err
		}
		if !a.Succeeded() {
			s.immovable = append(s.immovable, immovable{name, after.Spec.Names.Kind, after.Spec.Group, a.Text(), sweep.CauseOf(
				result.Finding{Outcome: term.Refused, Cause: term.Unattributed}, sweep.Refusal{Code: a.Code, Message: a.Text(), Causes: try.StatusCauses(a), SendsValue: true})})
		}
	}
	return nil
}

// addRenamed adds a definition of a kind that an old definition of another name has: the old one
// stays, and no server serves a kind twice.
func addRenamed(s *session, old *servers.Installation, name string, after definition) {
	for i, before := range old.Defines {
		if d := placeOfDefinition(old, i); d.Spec.Group == after.Spec.Group && d.Spec.Names.Kind == after.Spec.Names.Kind {
			said := fmt.Sprintf("%s is the kind of %s too, which stays when %s is installed", after.Spec.Names.Kind, before, name)
			s.immovable = append(s.immovable, immovable{before + "," + name, after.Spec.Names.Kind, after.Spec.Group, said, term.Unattributed})
		}
	}
}

func placeOfDefinition(of *servers.Installation, i int) (d definition) {
	_ = json.Unmarshal(of.Objects[i], &d) // a build has only definitions that were read
	return d
}

// leaveOutImmovable takes the kinds of such definitions out of what is played.
func leaveOutImmovable(s *session) {
	for _, m := range s.immovable {
		for role, release := range s.plain {
			release.Resources = slices.DeleteFunc(slices.Clone(release.Resources), func(r published.Resource) bool {
				group, _ := sweep.CutAPIVersion(r.APIVersion)
				return m.isOf(r.Kind, group)
			})
			s.plain[role] = release
		}
		for i, d := range s.scope.Whole {
			s.scope.Whole[i].Playable = d.Playable && !m.isOf(d.Kind, d.Group)
		}
		for _, rows := range [][]sweep.Row{s.rows, s.parts} {
			for i, r := range rows {
				rows[i].Playable = r.Playable && !m.isOf(r.Kind, r.Group)
			}
		}
	}
}

// namesOf returns the names of definitions.
func namesOf(all []immovable) (names []string) {
	for _, m := range all {
		names = append(names, m.name)
	}
	return names
}

// addImmovable gives the rows of such kinds their reason. That the server refuses the definition is
// the outcome of what differs in it.
func addImmovable(all []immovable, rows []sweep.Row) []sweep.Row {
	for _, m := range all {
		for i, r := range rows {
			if !m.isOf(r.Kind, r.Group) {
				continue
			}
			o := sweep.LapResult{Lap: term.DefaultLap, Effect: term.NotExercised.Effect(), Reason: "the kind was not played: the new definition cannot take the place of the old one: " + m.said}
			if r.Difference.Difference == term.NamesChanged {
				o.Effect, o.Class, o.Rule, o.Cause, o.Broken = term.Refused.Effect(), term.Violation, term.RuleInstallable, m.cause, 1
				o.Reason = "the new definition cannot take the place of the old one: " + m.said
				o.Cells = []sweep.Cell{{
					Write: "definition of the new release installed over the old one", Effect: o.Effect, Class: o.Class, Rule: o.Rule, Cause: o.Cause, Message: o.Reason,
				}}
			}
			rows[i].Laps = append(rows[i].Laps, o)
		}
	}
	return rows
}
