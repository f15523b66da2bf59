package client

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// MadeUpField is a member of an object's root that no release has.
const MadeUpField = "skewsimMadeUp"

// MadeUp returns the body of a request like one that a server failed at, with the same content
// type: it makes the step's changes to fields that the release declares, on an object like
// base, and has one generated field in place of those that the release does not know. A server
// that fails at this body too fails at any unknown field.
func (c Client) MadeUp(ctx context.Context, step plan.Step, content string, base map[string]any,
	declares func(fieldpath.Path) bool) (Body, error) {
	all, err := needed(step, declares)
	if err != nil {
		return Body{}, err
	}
	body, err := madeUp(content, base, all)
	if err != nil {
		return Body{}, err
	}
	raw, err := encode(body)
	if err != nil || content != ProtobufContent {
		return Body{ContentType: content, Bytes: raw, JSON: raw}, err
	}
	packed, err := c.Types.Carry(ctx, raw, term.JSON, term.Protobuf)
	if err != nil {
		return Body{}, err
	}
	packed, err = withMadeUpTag(packed) // the types have dropped the generated member
	return Body{ContentType: content, Bytes: packed, JSON: raw}, err
}

// needed returns the step's assignments to fields that the release knows. For a body from the
// scenario it cannot be decided.
func needed(step plan.Step, declares func(fieldpath.Path) bool) ([]plan.Assignment, error) {
	if step.Change != nil && step.Change.Kind == plan.Body {
		return nil, nil
	}
	all, err := assignments(step)
	return slices.DeleteFunc(all, func(a plan.Assignment) bool { return !declares(a.Path) }), err
}

func madeUp(content string, base map[string]any, all []plan.Assignment) (any, error) {
	form := map[string]term.PatchForm{
		string(types.JSONPatchType): term.JSONForm, string(types.MergePatchType): term.MergeForm,
		string(types.StrategicMergePatchType): term.StrategicForm,
	}[content]
	if form == "" {
		object, err := Apply(base, all)
		if err == nil {
			object[MadeUpField] = "x"
		}
		return object, err
	}
	patch, err := patchOf(form, base, all)
	if err != nil {
		return nil, err
	}
	if operations, ok := patch.([]any); ok {
		return append(operations, map[string]any{"op": "add", "path": "/" + MadeUpField, "value": "x"}), nil
	}
	patch.(map[string]any)[MadeUpField] = "x"
	return patch, nil
}
