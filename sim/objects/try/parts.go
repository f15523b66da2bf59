package try

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/client"
)

// tryParts has a second manager apply one part of a list or map that is stored, as dry runs: where the
// value has one owner, the other parts are gone.
func tryParts(ctx context.Context, r *play, t RuleTarget, result *Result) {
	at, base, _ := t.holds()
	part := partOf(base)
	if part == nil || slices.ContainsFunc(at, func(e fieldpath.PathElement) bool { return e.FieldName == nil }) {
		result.Reason = "no object holds two parts of the value outside of a list"
		return
	}
	on, why := r.storeBoth(ctx, t)
	defer r.removeBoth(context.WithoutCancel(ctx), on)
	if why[0]+why[1] != "" {
		result.Reason = fmt.Sprintf("a release %s", why[0]+why[1])
		return
	}
	result.Sent++
	var answers [2]Answer
	var kept [2]bool
	both(func(i int) {
		var body map[string]any
		answers[i], body = applyPart(ctx, r, i, on[i], t.Subresource, at, part)
		is, _ := path.Get(body, at)
		kept[i] = sizeOf(is) >= sizeOf(base)
	})
	switch {
	case !answers[0].Accepted || !answers[1].Accepted:
		result.Unanswered++
	case kept[0] == kept[1]:
		result.BothAccept++
	default:
		for i := range answers {
			answers[i].Accepted, answers[i].Replaced = kept[i], !kept[i]
		}
		result.Trials = append(result.Trials, Trial{
			Target: t.ID, APIVersion: t.APIVersion, Kind: t.Kind, Path: t.Path, Held: path.String(at), Value: part,
			Object: t.Object, Before: t.Object, Needs: t.Needs, Origin: t.Origin, Old: answers[0], New: answers[1],
		})
	}
}

// applyPart applies a value of a stored object, or of a subresource, and nothing else, as a dry run.
func applyPart(ctx context.Context, r *play, server int, s stored, subresource string, at fieldpath.Path, value any) (Answer, map[string]any) {
	metadata, _ := s.object["metadata"].(map[string]any)
	object := map[string]any{"apiVersion": s.object["apiVersion"], "kind": s.object["kind"], "metadata": map[string]any{"name": metadata["name"]}}
	if err := path.Set(object, at, value); err != nil {
		return Answer{Message: err.Error()}, nil
	}
	body, err := json.Marshal(object)
	if err != nil {
		return Answer{Message: err.Error()}, nil
	}
	return r.answerTo(ctx, server, client.Request{
		Method: http.MethodPatch, Path: below(s.path, subresource), ContentType: "application/apply-patch+yaml", Body: body, UserAgent: userAgent,
		Query: map[string]string{"dryRun": "All", "force": "true", "fieldManager": userAgent + "-other"},
	})
}

// partOf returns the first part of a list or map that has several; nil: it has not.
func partOf(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) > 1 {
			return v[:1:1]
		}
	case map[string]any:
		if len(v) > 1 {
			first := slices.Min(slices.Collect(maps.Keys(v)))
			return map[string]any{first: v[first]}
		}
	}
	return nil
}

// sizeOf returns how many parts a list or map has.
func sizeOf(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	}
	return 0
}
