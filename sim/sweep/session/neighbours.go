package session

import (
	"context"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/exercise"
	"github.com/skewsim/skewsim/sim/generate"
	"github.com/skewsim/skewsim/sim/sweep"
	"github.com/skewsim/skewsim/sim/sweep/bodies"
)

// chooseNeighbours gives each object that is changed beside its value the nearest change that a server of
// its own release accepts, and that one of the other release does not refuse for itself, whatever the
// value. Where servers are not asked, as of a subresource, the first change counts.
func (s ride) chooseNeighbours(ctx context.Context, objects []sweep.Object) error {
	published := documents{s.at, map[string]*generate.Definitions{}}
	all := sweep.Neighbours(objects, s.scope.Whole, func(o sweep.Object, at fieldpath.Path) []any {
		words := published.wordsAt(o, locationOf(o.Specimen.Object, at))
		return words[:min(len(words), mostWordsOfMany)]
	})
	refused, err := s.refusedByOther(ctx, objects, all)
	if err != nil {
		return err
	}
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
			if err := s.askNeighbours(ctx, role, objects, all, of, refused); err != nil {
				return err
			}
		}
	}
	return nil
}

// askNeighbours asks servers about the first change of each of some objects of a release. A change that they
// do not take, or that heals what the other release refuses, is left out.
func (s ride) askNeighbours(ctx context.Context, role term.Role, objects []sweep.Object, all [][]map[string]any, of []int, refused map[int]bool) error {
	offers := make([]exercise.Offer, len(of))
	for n, i := range of {
		body, _ := objects[i].WithChange(all[i][0])
		offers[n] = exercise.Offer{Object: body, Needs: objects[i].Specimen.Needs}
	}
	var replies [2][]exercise.Reply
	for n, of := range []term.Role{role, role.Other()} {
		var err error
		if replies[n], err = exercise.Offered(ctx, s.exerciserOf(of), offers, term.Ignore); err != nil {
			return err
		}
	}
	for n, i := range of {
		change := all[i][0]
		all[i] = all[i][1:]
		if suits(change, objects[i].Specimen.Held, replies[0][n], replies[1][n], refused[i]) {
			objects[i].Target.Neighbour = change
		}
	}
	return nil
}

// suits reports whether a change beside a value says something of the value: by what servers of the object's
// own release and of the other one reply to the changed object, and whether the other one refuses the object
// as it is.
func suits(change map[string]any, held string, own, theirs exercise.Reply, refused bool) bool {
	switch {
	case own.Refusal != "":
		return false
	case theirs.Refusal == "":
		return !refused // else it heals the object
	}
	return bodies.IsAround(change, held) || !bodies.IsRefused(theirs.Refusal, change)
}

// refusedByOther returns the objects that may be changed and that a server of the other release refuses as
// they are, by their number.
func (s ride) refusedByOther(ctx context.Context, objects []sweep.Object, changes [][]map[string]any) (map[int]bool, error) {
	refused := map[int]bool{}
	for _, role := range []term.Role{term.Old, term.New} {
		var of []int
		var offers []exercise.Offer
		for i, own := range changes {
			if len(own) == 0 || objects[i].Target.Release != role {
				continue
			}
			if _, can := objects[i].WithChange(own[0]); can {
				of, offers = append(of, i), append(offers, exercise.Offer{Object: objects[i].Body(), Needs: objects[i].Specimen.Needs})
			}
		}
		replies, err := exercise.Offered(ctx, s.exerciserOf(role.Other()), offers, term.Ignore)
		if err != nil {
			return nil, err
		}
		for n, i := range of {
			refused[i] = replies[n].Refusal != "" && !replies[n].Undecided
		}
	}
	return refused, nil
}

// locationOf returns a path in an object as package generate spells it.
func locationOf(object map[string]any, at fieldpath.Path) (location generate.Location) {
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
