package chain

import (
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// heldUp holds what a leg adopted against what the leg before saw of it last:
// nobody wrote in between, so that what clients hold acknowledged is there, where
// the release has a place for it.
func (c *Chain) heldUp(leg Leg) []Finding {
	var found []Finding
	steps := stepsOf(leg.History.Header.Plan)
	for _, op := range leg.History.Operations {
		if op.Purpose != history.Act || !steps[op.Step].step.Adoption() || !op.Exchange.Succeeded() {
			continue // what it came to otherwise is the leg's own finding
		}
		for _, s := range c.pool {
			if s.copy.Name == op.Copy {
				found = append(found, c.compare(leg, s, op)...)
			}
		}
	}
	return found
}

func (c *Chain) compare(leg Leg, s *specimen, op history.Operation) []Finding {
	if s.doubted {
		return nil
	}
	role := firstRole(leg.Back)
	kind, _ := leg.kind(role, s.copy)
	now := leg.leaves(role, s.copy, op.Exchange.Answer, c.plan.Salt)
	if len(s.unseen) > 0 {
		c.unseen = append(c.unseen, fmt.Sprintf("%s: leg %d ended with a LIST that did not show %s, which is kept: leg %d has nothing to hold it against",
			s.copy.Name, s.leg, strings.Join(sortedKeys(s.unseen), ", "), leg.Number))
	}
	var found []Finding
	for _, at := range sortedKeys(s.values) {
		want, name := s.values[at], leg.masked(s.copy, at, c.plan.Salt)
		is, has := now[name]
		switch {
		case want == "", !has && !kind.Declares(parsed(name)):
			continue // not shown at one of the ends: there is nothing to compare
		case want == schema.Empty && !has && filled(now, name):
			is, has = schema.Leaf{Semantic: want}, true // any container is as good as an empty one
		}
		c.observations.compared++
		if has && is.Semantic == want {
			continue
		}
		if c.observations.told[s.copy.Name+" "+name] {
			continue
		}
		c.observations.told[s.copy.Name+" "+name] = true
		f := Finding{
			Copy: s.copy.Name, Object: s.copy.Object, Path: name, Release: leg.First,
			Served: s.leg, LastSeen: s.leg, Leg: leg.Number, Before: want, After: shownValue(is, has),
		}
		f.Message = fmt.Sprintf("%s: leg %d left %s at %s, acknowledged; %s serves %s there when leg %d takes it over",
			f.Copy, s.leg, want, name, leg.version(role), f.After, leg.Number)
		found = append(found, f)
	}
	return found
}

// ownedPaths are what an object can be served with otherwise and be the same.
func ownedPaths() []fieldpath.Path {
	return []fieldpath.Path{
		fieldpath.MakePathOrDie("metadata", "managedFields"), fieldpath.MakePathOrDie("metadata", "resourceVersion"),
	}
}
