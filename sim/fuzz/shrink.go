package fuzz

import (
	"context"
	"errors"
	"fmt"

	"github.com/skewsim/skewsim/sim/objects"
)

// maxShrinks is how many smaller objects are tried for one failure: fewer if each one
// needs manifests to be installed alternately.
func maxShrinks(t *Traveller) int {
	if t.Turns != nil {
		return 25
	}
	return 300
}

// shrunk is the object of a violation, made smaller, with the fact that it shows.
type shrunk struct {
	object map[string]any
	fact   Fact
	shown  bool   // the object also fails when it travels alone
	larger string // why a smaller object may fail too; "" if none does
}

// shrinker makes one object smaller.
type shrinker struct {
	*Traveller
	kind  objects.Kind
	tried int
	shrunk
}

// shrink drops from an object every part without which it still fails, and returns the last
// fact. An object that fails only after a visit of other places stays as it is; shown is
// false if it does not fail then either. After an error the object is as small as it was by
// then.
func shrink(ctx context.Context, t *Traveller, kind objects.Kind, object map[string]any, f Fact) (shrunk, error) {
	w := &shrinker{Traveller: t, kind: kind, shrunk: shrunk{object: object, fact: f}}
	last, ok, err := w.fails(ctx, object, f.Through)
	switch {
	case err == nil && !ok:
		w.larger = "it fails only after a visit of other places, and is shown as it was sent"
		_, w.shown, err = w.fails(ctx, object, t.Places...)
		return w.shrunk, err
	case err != nil:
		return w.shrunk, err
	}
	w.fact, w.shown = last, true
	t.Hasty = true // most smaller objects are refused for missing parts
	defer func() { t.Hasty = false }()
	for again := true; again; {
		if again, err = w.pass(ctx); err != nil {
			return w.shrunk, err
		}
	}
	return w.shrunk, nil
}

// fails sends a smaller object to places, and returns the fact if the object shows it.
func (w *shrinker) fails(ctx context.Context, o map[string]any, through ...Place) (Fact, bool, error) {
	w.tried++
	facts, err := w.Travel(ctx, o, through)
	for _, found := range facts {
		if found.Key() == w.fact.Key() {
			return found, true, nil
		}
	}
	return Fact{}, false, err
}

// pass drops, one after the other, parts without which the object fails. It reports whether
// it dropped any: then there may be more.
func (w *shrinker) pass(ctx context.Context) (dropped bool, err error) {
	all := objects.Locations(w.object)
	for i := 0; i < len(all); i++ {
		smaller, ok := w.kind.Without(w.object, all[i])
		if !ok {
			continue
		}
		if w.tried >= maxShrinks(w.Traveller) {
			w.larger = fmt.Sprintf("%d smaller ones were tried, the most for one finding", w.tried)
			return false, nil
		}
		found, still, err := w.fails(ctx, smaller, w.fact.Through)
		var refused *NotAgainError
		if errors.As(err, &refused) { // the object is invalid without the part
			continue
		}
		if err != nil {
			return false, err
		}
		if still { // the place now has another element
			w.object, w.fact, dropped = smaller, found, true
			all = objects.Locations(w.object)
			i--
		}
	}
	return dropped, nil
}

// smallest makes the object of a violation smaller, unless the lap has ended. An error
// while shrinking ends the lap: the object stays as small as it was by then.
func (l *lap) smallest(ctx context.Context, j *journey, object map[string]any, f Fact) shrunk {
	if l.ended != nil {
		return shrunk{object, f, true, "the run ended before smaller ones were tried"}
	}
	origin := j.traveller.Origin
	kind, _ := l.releases[origin.Role].Published(origin)
	small, err := shrink(ctx, j.traveller, kind, object, f)
	if err != nil {
		small.shown, small.larger = true, "the search for smaller ones was cut short: "+whyEnded(ctx, err)
		if !l.costsOne(ctx, err) {
			l.ended = l.bury(ctx, err, nil)
		}
	}
	return small
}
