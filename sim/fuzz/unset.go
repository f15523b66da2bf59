package fuzz

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Encoders omit "", 0 and false of some fields and keep them in others. No schema says
// whether an API distinguishes such a value from an absent one. The release that accepted
// the object shows it: if it serves the value also for an object that was sent without it,
// the value is an unset field, and nothing is lost with it.

// emptyValue reports whether a value is one that JSON encoders omit.
func emptyValue(v any) bool {
	return v == nil || v == "" || v == false || v == int64(0) || v == float64(0)
}

// withoutUnset drops the facts that an empty value is no longer served, if the origin
// serves the value also for an object that was sent without it.
func (t *Traveller) withoutUnset(ctx context.Context, object map[string]any, facts []Fact) ([]Fact, error) {
	var kept []Fact
	for i, f := range facts {
		unset, err := t.isUnset(ctx, object, f)
		if err != nil {
			return append(kept, facts[i:]...), err
		}
		if !unset {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// isUnset reports whether a fact is about a value that the origin treats as absent. A value
// without which the object is invalid is set.
func (t *Traveller) isUnset(ctx context.Context, object map[string]any, f Fact) (bool, error) {
	gone := f.Diff.Outcome == term.Lost || f.Diff.Outcome == term.Hidden
	if !gone || f.From != "" || f.Diff.Path == nil || !emptyValue(f.Diff.Before) {
		return false, nil
	}
	if _, sent := t.ValuesOf(t.Origin, runtime.DeepCopyJSON(object))[f.Diff.PathText()]; !sent {
		return true, nil
	}
	without := runtime.DeepCopyJSON(object)
	if !path.Remove(without, f.Diff.Path) {
		return false, nil // in a list whose keys the object leaves to their defaults
	}
	c, _, err := t.Create(ctx, without)
	t.Clear(ctx)
	if err != nil || c == nil {
		return false, err
	}
	shown, is := c.Acknowledged[f.Diff.PathText()]
	return is && emptyValue(shown.Value), nil
}

// withoutOwnUnset returns the accepted object without the empty values that its answer does
// not have; nil if the answer lacks another value, because then the object uses fields that
// are off or unknown.
func (t *Trip) withoutOwnUnset(object map[string]any, taken *Copy) map[string]any {
	object = runtime.DeepCopyJSON(object)
	for _, d := range NotAccepted(t.ValuesOf(t.Origin, runtime.DeepCopyJSON(object)), taken.Acknowledged) {
		if !emptyValue(d.Before) {
			return nil
		}
		path.Remove(object, d.Path)
	}
	return object
}
