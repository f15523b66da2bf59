package roundtrip

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Encoders leave out "", 0 and false of some fields and show them of others. Whether an
// API tells such a value from no value at all, no schema says. The release that took the
// object does: if it shows the value of an object that was sent without it too, the value
// is how the release shows an unset field, and nothing is lost with it.

// emptyValue reports whether a value is one that JSON encoders leave out.
func emptyValue(v any) bool {
	return v == nil || v == "" || v == false || v == int64(0) || v == float64(0)
}

// withoutUnset drops the facts that an empty value is not shown any more, where the origin
// shows the value of an object that was sent without it too.
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

// isUnset reports whether a fact is of a value that the origin takes for none. An object that
// cannot do without the value has it set.
func (t *Traveller) isUnset(ctx context.Context, object map[string]any, f Fact) (bool, error) {
	gone := f.Diff.State == term.Lost || f.Diff.State == term.Hidden
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

// withoutOwnUnset is the object that the origin took, less the empty values that its answer
// does not show; nil where the answer lacks another value: the object uses what is switched
// off, or what comes.
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
