package client

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// The content types of whole objects.
const (
	JSONContent     = runtime.ContentTypeJSON
	ProtobufContent = runtime.ContentTypeProtobuf
)

// Body is what a request carries.
type Body struct {
	ContentType string
	Bytes       []byte
	// JSON is what Bytes mean: the same, unless they are protobuf.
	JSON []byte
}

// New is the body of a POST, or of any other write that needs no change first.
func (c Client) New(ctx context.Context, object map[string]any, as term.Encoding) (Body, error) {
	raw, err := encode(object)
	if err != nil {
		return Body{}, err
	}
	if raw, err = c.Types.Carry(ctx, raw, term.JSON, term.JSON); err != nil {
		return Body{}, err
	}
	if as != term.Protobuf {
		return Body{ContentType: JSONContent, Bytes: raw, JSON: raw}, nil
	}
	packed, err := c.Types.Carry(ctx, raw, term.JSON, term.Protobuf)
	return Body{ContentType: ProtobufContent, Bytes: packed, JSON: raw}, err
}

// Replace is the body of the PUT in a GET-PUT: what was read, as the client
// carries it, mutated.
func (c Client) Replace(ctx context.Context, step plan.Step, read []byte) (Body, error) {
	_, changed, err := c.mutate(ctx, step, read)
	if err != nil {
		return Body{}, err
	}
	return c.New(ctx, changed, step.Encoding)
}

// mutate is what was read, as the client holds it, before and after the change.
func (c Client) mutate(ctx context.Context, step plan.Step, read []byte) (was []byte, changed map[string]any, err error) {
	all, err := assignments(step)
	if err != nil {
		return nil, nil, err
	}
	if was, err = c.Types.Carry(ctx, read, term.JSON, term.JSON); err != nil {
		return nil, nil, err
	}
	object, err := parse(was)
	if err != nil {
		return nil, nil, err
	}
	changed, err = Apply(object, all)
	return was, changed, err
}

// Difference is the patch that the client computes from what it read and what
// it made of it.
func (c Client) Difference(ctx context.Context, step plan.Step, read []byte) (Body, error) {
	was, changed, err := c.mutate(ctx, step, read)
	if err != nil {
		return Body{}, err
	}
	after, err := encode(changed)
	if err != nil {
		return Body{}, err
	}
	patch := types.MergePatchType
	if step.Verb.PatchForm() == term.StrategicForm {
		patch = types.StrategicMergePatchType
	}
	raw, err := c.Types.Diff(ctx, was, after, patch)
	return Body{ContentType: string(patch), Bytes: raw, JSON: raw}, err
}

// Apply is the body of server-side apply: the whole manifest with the step's
// changes, as the client's apply configurations have it.
func (c Client) Apply(ctx context.Context, step plan.Step, manifest map[string]any) (Body, error) {
	all, err := assignments(step)
	if err != nil {
		return Body{}, err
	}
	changed, err := Apply(manifest, all)
	if err != nil {
		return Body{}, err
	}
	raw, err := encode(changed)
	if err != nil {
		return Body{}, err
	}
	raw, err = c.Types.Apply(ctx, raw)
	return Body{ContentType: string(types.ApplyPatchType), Bytes: raw, JSON: raw}, err
}

// ExtractApply is the body of the apply of a client that keeps no manifest:
// what its manager has applied, changed.
func (c Client) ExtractApply(ctx context.Context, step plan.Step, live []byte) (Body, error) {
	raw, err := c.Types.Extract(ctx, live, step.Manager)
	if err != nil {
		return Body{}, err
	}
	extracted, err := parse(raw)
	if err != nil {
		return Body{}, err
	}
	return c.Apply(ctx, step, extracted)
}

// Patch is the body of a patch. Base is the manifest that the copy was created
// from: a patch is sent without reading first. A body that the scenario gives is
// sent as it stands.
func (c Client) Patch(ctx context.Context, step plan.Step, base map[string]any) (Body, error) {
	content, err := patchContent(step.Verb)
	if err != nil {
		return Body{}, err
	}
	body, err := c.patchBody(ctx, step, base)
	if err != nil {
		return Body{}, err
	}
	raw, err := encode(body)
	return Body{ContentType: content, Bytes: raw, JSON: raw}, err
}

func patchContent(verb term.Verb) (string, error) {
	switch verb.PatchForm() {
	case term.JSONForm:
		return string(types.JSONPatchType), nil
	case term.MergeForm:
		return string(types.MergePatchType), nil
	case term.StrategicForm:
		return string(types.StrategicMergePatchType), nil
	}
	return "", fmt.Errorf("%s is no patch", verb)
}

func (c Client) patchBody(ctx context.Context, step plan.Step, base map[string]any) (any, error) {
	if step.Change.Kind == plan.Body {
		return step.Change.Body, nil
	}
	all, err := assignments(step)
	if err != nil {
		return nil, err
	}
	if base, err = c.held(ctx, base); err != nil {
		return nil, err
	}
	if all, err = c.expressible(ctx, base, all); err != nil {
		return nil, err
	}
	return patchOf(step.Verb.PatchForm(), base, all)
}

// patchOf returns the patch that makes the assignments on an object shaped like
// base.
func patchOf(form term.PatchForm, base map[string]any, all []plan.Assignment) (any, error) {
	switch form {
	case term.JSONForm:
		return JSONPatch(base, all)
	case term.StrategicForm:
		return StrategicPatch(all)
	}
	return MergePatch(base, all)
}

// held is the object as the client holds it.
func (c Client) held(ctx context.Context, object map[string]any) (map[string]any, error) {
	raw, err := encode(object)
	if err != nil {
		return nil, err
	}
	if raw, err = c.Types.Carry(ctx, raw, term.JSON, term.JSON); err != nil {
		return nil, err
	}
	return parse(raw)
}

// expressible are the assignments as a program written against the client's
// types can make them: without what these have no place for, be it deep in a
// value. An empty value that the types would omit stays: patches are written by
// hand for just that.
func (c Client) expressible(ctx context.Context, base map[string]any, all []plan.Assignment) ([]plan.Assignment, error) {
	if c.Declares == nil && !c.Unpublished {
		return all, nil
	}
	var kept []plan.Assignment
	for _, a := range all {
		changed, err := Apply(base, []plan.Assignment{a})
		if err != nil {
			return nil, err
		}
		if changed, err = c.held(ctx, changed); err != nil {
			return nil, err
		}
		v, found := path.Get(changed, a.Path)
		switch {
		case a.Value != nil && found:
			a.Value = v
		case c.Unpublished && a.Value != nil, c.Declares != nil && !c.Declares(a.Path):
			continue
		}
		kept = append(kept, a)
	}
	return kept, nil
}

// assignments are the step's; one that brings its copy into being changes nothing.
func assignments(step plan.Step) ([]plan.Assignment, error) {
	if step.Change == nil {
		return nil, nil
	}
	return step.Assignments()
}
