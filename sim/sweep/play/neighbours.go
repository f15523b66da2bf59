package play

import (
	"context"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/sweep"
)

// chooseNeighbours gives each object that is changed beside its value the nearest change that a server of
// its own release accepts, and that one of the other release does not refuse for itself, whatever the
// value. Where servers are not asked, as of a subresource, the first change counts.
func (s lapRun) chooseNeighbours(ctx context.Context, objects []sweep.Object) error {
	published := newDocuments(s.at)
	all := sweep.Neighbours(objects, s.scope.Whole, sweep.Published{
		Words: func(o sweep.Object, at fieldpath.Path) []any {
			words := published.wordsAt(o, locationOf(o.Specimen.Object, at))
			return words[:min(len(words), maxWordsOfMany)]
		},
		IsFixed: func(o sweep.Object, at fieldpath.Path) bool {
			return published.isFixed(o, locationOf(o.Specimen.Object, at))
		},
	})
	for more := true; more; {
		more = false
		asked := map[term.Role][]int{}
		for i, changes := range all {
			if len(changes) == 0 || objects[i].Target.Neighbour != nil {
				continue
			}
			more = true
			if _, can := objects[i].WithChange(changes[0]); can {
				role := objects[i].Target.Release
				asked[role] = append(asked[role], i)
				continue
			}
			objects[i].Target.Neighbour = changes[0]
		}
		for role, of := range asked {
			if err := s.askNeighbours(ctx, role, objects, all, of); err != nil {
				return err
			}
		}
	}
	return nil
}

// askNeighbours asks servers about the first change of each of some objects of a release. A change that they
// do not take, or that heals what the other release refuses, is left out.
func (s lapRun) askNeighbours(ctx context.Context, role term.Role, objects []sweep.Object, all [][]map[string]any, of []int) error {
	offers := make([]try.Offer, len(of))
	for n, i := range of {
		body, _ := objects[i].WithChange(all[i][0])
		offers[n] = try.Offer{Object: body, Needs: objects[i].Specimen.Needs}
	}
	var replies [2][]try.Reply
	for n, of := range []term.Role{role, role.Other()} {
		var err error
		if replies[n], err = try.Offered(ctx, s.exerciserOf(of), offers, term.Ignore); err != nil {
			return err
		}
	}
	for n, i := range of {
		change := all[i][0]
		all[i] = all[i][1:]
		if suits(change, objects[i].Specimen.Held, replies[0][n], replies[1][n], objects[i].OtherRefuses) {
			objects[i].Target.Neighbour = change
		}
	}
	return nil
}

// suits reports whether a change beside a value says something of the value: by what servers of the object's
// own release and of the other one reply to the changed object, and whether the other one refuses the object
// as it is.
func suits(change map[string]any, held string, own, theirs try.Reply, refused bool) bool {
	switch {
	case own.Refusal != "":
		return false
	case theirs.Refusal == "":
		return !refused // else it heals the object
	}
	return sweep.IsAround(change, held) || !sweep.IsRefused(theirs.Refusal, change)
}

// locationOf returns a path in an object as package objects spells it.
func locationOf(object map[string]any, at fieldpath.Path) (location objects.Location) {
	for i, e := range at {
		if e.FieldName != nil {
			location = append(location, *e.FieldName)
			continue
		}
		list, _ := path.Get(object, at[:i])
		elements, _ := list.([]any)
		location = append(location, strconv.Itoa(path.Position(elements, e)))
	}
	return location
}
