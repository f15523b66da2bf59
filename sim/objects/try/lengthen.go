package try

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects"
)

// lengthen gives a list of one element a second one, if the server accepts it: a list of one may
// be what an older field or version can express too, and two are not.
func (e *exerciser) lengthen(ctx context.Context, k *kind, s *Specimen) error {
	held, err := path.Parse(s.Held)
	if err != nil || s.Object == nil || s.Subresource != "" || s.Value != nil || len(held) == 0 {
		return nil //nolint:nilerr // a path of a whole object has no list
	}
	value, _ := path.Get(s.Object, held)
	list, _ := value.([]any)
	if len(list) != 1 {
		return nil
	}
	for _, longer := range [][]any{{list[0], second(list[0])}, {halved(list[0]), halved(second(list[0]))}} {
		if taken, err := takes(ctx, e, k, s, held, longer, true); taken || err != nil {
			return err
		}
	}
	return nil
}

// takes gives the specimen another value at the place that it holds, if the server accepts and
// keeps it, and with both: if the other release complains about nothing more than before.
func takes(ctx context.Context, e *exerciser, k *kind, s *Specimen, held fieldpath.Path, value any, both bool) (bool, error) {
	object := runtime.DeepCopyJSON(s.Object)
	if err := path.Set(object, held, runtime.DeepCopyJSONValue(value)); err != nil {
		return false, err
	}
	w := writerOf(e, k, s)
	answer, ok := decoded(w.send(ctx, object))
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	is, _ := path.Get(answer, held)
	if !ok || objects.JSONText(is) != objects.JSONText(value) {
		return false, nil
	}
	if both && !includes(unfitIn(w.sendOther(ctx, s.Object)), unfitIn(w.sendOther(ctx, object))) {
		return false, nil
	}
	s.Object, s.Answered = object, is
	return true, nil
}

// repeat gives a list its first element twice. A list that the server refuses then is no specimen: with
// one element it is that of another target.
func repeat(ctx context.Context, e *exerciser, k *kind, s *Specimen) error {
	held, err := path.Parse(s.Held)
	if err != nil || s.Object == nil {
		return err
	}
	if s.Subresource != "" && s.Subresource != term.StatusPart {
		s.Object, s.Reason = nil, "no element twice is written through "+s.Subresource
		return nil
	}
	value, _ := path.Get(s.Object, held)
	list, _ := value.([]any)
	for _, pair := range pairs(list, s.Differ, s.Same) {
		if taken, err := takes(ctx, e, k, s, held, pair, false); taken || err != nil {
			return err
		}
	}
	s.Object, s.Reason = nil, "the server takes no element twice"
	return nil
}

// pairs returns lists with the first element of a list twice, which differ in some members and have
// the same value of others.
func pairs(list []any, differ, same []string) (all [][]any) {
	if len(list) == 0 {
		return nil
	}
	one, is := list[0].(map[string]any)
	if !is || len(differ)+len(same) == 0 {
		return [][]any{{list[0], list[0]}}
	}
	for _, value := range []any{"sample", int64(1)} { // of members that the element does not have
		first := runtime.DeepCopyJSON(one)
		for _, name := range slices.Concat(differ, same) {
			if first[name] == nil {
				first[name] = value
			}
		}
		other := runtime.DeepCopyJSON(first)
		for _, name := range differ {
			other[name] = second(other[name])
		}
		all = append(all, []any{first, other})
	}
	return all
}

// second returns an element that differs from another one in each text, so that no key is the same.
func second(element any) any {
	switch v := element.(type) {
	case string:
		return v + "2"
	case int64:
		return v + 1
	case map[string]any:
		other := runtime.DeepCopyJSON(v)
		for name, member := range other {
			if text, is := member.(string); is && !slices.Contains([]string{"kind", "apiVersion", "protocol"}, name) {
				other[name] = text + "2"
			}
		}
		return other
	}
	return element
}

// halved returns an element with half of its numbers: shares of a whole may have a fixed sum.
func halved(element any) any {
	fields, is := element.(map[string]any)
	if !is {
		return element
	}
	half := runtime.DeepCopyJSON(fields)
	for name, member := range half {
		if n, is := member.(int64); is {
			half[name] = n / 2
		}
	}
	return half
}
