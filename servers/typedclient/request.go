package typedclient

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/servers/typedclient/program"
)

// Content types of the bodies of [CarryRequest].
const (
	JSON     = runtime.ContentTypeJSON
	Protobuf = runtime.ContentTypeProtobuf
)

// CarryRequest is an object on its way through a typed client.
type CarryRequest struct {
	// Kind is the client's: whose types decode the body. A body that says
	// nothing of its kind, as elements of a list do, is taken for that.
	Kind schema.GroupVersionKind
	Body []byte
	// From and To are the content types of the body and of the answer. Default:
	// JSON.
	From, To string
}

// Carry gives what a typed client holds of an object: the body decoded into the
// release's types and encoded again, which is what GET and then PUT do to it.
// Nothing is defaulted, converted or refused for being unknown. JSON ends with a
// newline, as the client sends it. A body that the types cannot decode is an
// *AnswerError.
func (p *Program) Carry(ctx context.Context, r CarryRequest) ([]byte, error) {
	q := program.Request{Operation: program.Carry, From: r.From, To: r.To}
	if q.From == "" {
		q.From = JSON
	}
	if q.To == "" {
		q.To = JSON
	}
	return p.call(ctx, r.Kind, q, r.Body)
}

// DiffRequest is an object before and after a client changed it.
type DiffRequest struct {
	Kind          schema.GroupVersionKind
	Before, After []byte // JSON
	// Patch is types.StrategicMergePatchType or types.MergePatchType. Default:
	// the former.
	Patch types.PatchType
}

// Diff gives the patch that a typed client computes from a difference. Both
// sides pass through the types first, so that what these do not know is no part
// of it: the patch of two equal objects is {}.
func (p *Program) Diff(ctx context.Context, r DiffRequest) ([]byte, error) {
	q := program.Request{Operation: program.Diff, Patch: string(r.Patch)}
	if q.Patch == "" {
		q.Patch = string(types.StrategicMergePatchType)
	}
	return p.call(ctx, r.Kind, q, r.Before, r.After)
}

// ApplyRequest is a manifest of server-side apply.
type ApplyRequest struct {
	Kind     schema.GroupVersionKind
	Manifest []byte // JSON
}

// Apply gives what a client sends that writes the manifest as an apply
// configuration of the release: fields that this does not know are gone, those
// it knows stay even where they are zero.
func (p *Program) Apply(ctx context.Context, r ApplyRequest) ([]byte, error) {
	return p.call(ctx, r.Kind, program.Request{Operation: program.Apply}, r.Manifest)
}

// ExtractRequest asks for what a manager has applied.
type ExtractRequest struct {
	Kind schema.GroupVersionKind
	Live []byte // JSON, as read from a server: with managedFields
	// Manager is the field manager of the client.
	Manager string
	// Subresource is that through which it applied. Default: none, the object.
	Subresource string
}

// Extract gives the apply configuration of what a manager owns in a live object,
// to be modified and applied again. Of a manager that has applied nothing it
// holds no more than the object's name.
func (p *Program) Extract(ctx context.Context, r ExtractRequest) ([]byte, error) {
	return p.call(ctx, r.Kind, program.Request{Operation: program.Extract, Manager: r.Manager, Subresource: r.Subresource}, r.Live)
}

// call sends one request and waits for its answer, at most until ctx ends. Then
// the program may still be working on it.
func (p *Program) call(ctx context.Context, kind schema.GroupVersionKind, q program.Request, bodies ...[]byte) ([]byte, error) {
	q.Group, q.Version, q.Kind = kind.Group, kind.Version, kind.Kind
	head, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	refused := func(text string) error {
		return &AnswerError{Release: p.build.Version, Operation: q.Operation, Kind: kind, Text: text}
	}
	id, answered := p.expect()
	defer p.forget(id)
	// The frame is a copy: the caller may go on with its bodies when ctx ends.
	frame, err := program.NewFrame(id, append([][]byte{head}, bodies...)...)
	if err != nil {
		return nil, refused("the request: " + err.Error())
	}
	a, err := p.exchange(ctx, frame, answered)
	if err != nil {
		return nil, fmt.Errorf("%s %s %s: %w", q.Operation, kind.GroupVersion(), kind.Kind, err)
	}
	if a.refusal != "" {
		return nil, refused(a.refusal)
	}
	return a.body, nil
}
