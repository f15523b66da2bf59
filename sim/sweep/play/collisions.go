package play

import (
	"context"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/sweep"
)

// A field that a release fills in can break a rule that both releases state of its struct: of members that exclude
// one another a client has set the other one. An object without the field shows that only if it has that member.

// maxCollisions is how many members of a struct are tried beside a field that is filled in.
const maxCollisions = 8

// tryCollisions adds objects that the old release accepts without a field, and that the new one refuses as it fills
// the field in: each has another member of the field's struct.
func (s lapRun) tryCollisions(ctx context.Context, targets []sweep.Object, m *preparation) error {
	var of []sweep.Target
	var wanted []try.Target
	schemas := newDocuments(s.at)
	for _, o := range targets {
		if !s.isFilledIn(o) {
			continue
		}
		for _, name := range schemas.membersBeside(o) {
			of = append(of, o.Target)
			wanted = append(wanted, try.Target{ID: o.Target.ID + " " + name, APIVersion: o.Target.APIVersion, Kind: o.Target.Kind, Path: path.Below(o.Target.Path, fieldpath.FieldNameElement(name))})
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	var found []try.Specimen
	err := within(ctx, func(ctx context.Context) (err error) {
		found, err = try.Specimens(ctx, s.exerciser(term.Old), wanted)
		return err
	})
	if err != nil {
		return err
	}
	var all []sweep.Object
	var offers []try.Offer
	for i, specimen := range found {
		if o, can := sweep.Colliding(of[i], specimen); can {
			all = append(all, o)
			offers = append(offers, try.Offer{Object: o.Body(), Needs: specimen.Needs})
		}
	}
	var replies [2][]try.Reply
	for n, role := range []term.Role{term.Old, term.New} {
		if replies[n], err = try.Offered(ctx, s.exerciserOf(role), offers, term.Ignore); err != nil {
			return err
		}
	}
	for i, o := range all {
		if replies[0][i].Shown != nil && replies[1][i].Refusal != "" {
			m.differing = append(m.differing, o)
		}
	}
	return nil
}

// isFilledIn reports whether an object lacks a field for which the new release has a default, and the old one none.
func (s lapRun) isFilledIn(o sweep.Object) bool {
	return o.Specimen.Object != nil && o.Target.Without != "" && o.Target.Release == term.Old &&
		slices.ContainsFunc(o.Target.Rows, func(id string) bool {
			row := s.rowByID(id)
			return row.Difference.Difference == term.DefaultChanged && row.Old == "" && row.New != ""
		})
}

// membersBeside returns members of the struct that lacks a field: those that the object does not have either.
func (p documents) membersBeside(o sweep.Object) []string {
	held, err := path.Parse(o.Specimen.Held)
	if err != nil {
		return nil
	}
	has, _ := path.Get(o.Specimen.Object, held)
	fields, _ := has.(map[string]any)
	members := map[string]bool{}
	for _, s := range p.schemasAt(o, locationOf(o.Specimen.Object, held)) {
		if s.of == nil {
			continue
		}
		for name := range s.of.Properties {
			if _, is := fields[name]; !is && name != o.Target.Without {
				members[name] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(members))
	return names[:min(len(names), maxCollisions)]
}
