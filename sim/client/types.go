package client

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// Types are a client's types of one kind: they transform an object on its way between two
// servers. An operation that they do not support returns an *UnfitError; any other error means
// that they are no longer available.
type Types interface {
	// Carry decodes a body and encodes it again, as GET and PUT do.
	Carry(ctx context.Context, body []byte, from, to term.Encoding) ([]byte, error)
	// Diff is the patch that leads from one object to the other, both JSON.
	Diff(ctx context.Context, before, after []byte, patch types.PatchType) ([]byte, error)
	// Apply is a manifest as the client's apply configuration holds it.
	Apply(ctx context.Context, manifest []byte) ([]byte, error)
	// Extract is the apply configuration of what a manager has applied.
	Extract(ctx context.Context, live []byte, manager string) ([]byte, error)
}

// Program is the typed clients of one release: real types, of most kinds.
type Program interface {
	// Origin names the release whose types these are, and the program.
	Origin() (version, digest string)
	// Substituted are the modules of which the program has another version than the
	// release's client-go asks for, each as "PATH VERSION -> VERSION".
	Substituted() []string
	// Types are those of a kind, and false where the release has none.
	Types(ctx context.Context, apiVersion, kind string) (Types, bool, error)
}

// UnfitError reports that a client cannot make the request of a step: its types have no field
// for it, or the object does not have the shape that the step assumes. It is not an answer of a
// server.
type UnfitError struct{ Err error }

// Error says why.
func (e *UnfitError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *UnfitError) Unwrap() error { return e.Err }

func unfit(format string, args ...any) error { return &UnfitError{fmt.Errorf(format, args...)} }

// Client is one client at work on one kind.
type Client struct {
	Types Types
	// Declares reports whether the client's types have a field for a path. Nil: they have one
	// for every path.
	Declares func(fieldpath.Path) bool
	// Unpublished says that no schema describes the types: a path that they do not carry counts
	// as undeclared. Default false.
	Unpublished bool
}

// Untyped are no types at all: everything is carried, as a dynamic client does.
// Merging says how lists are merged, as the server publishes it.
func Untyped(merging Merging) Types { return untyped{merging.Meta} }

type untyped struct {
	meta strategicpatch.LookupPatchMeta
}

func (untyped) Carry(_ context.Context, body []byte, from, to term.Encoding) ([]byte, error) {
	if from == term.Protobuf || to == term.Protobuf {
		return nil, unfit("a client without types of the kind has no protobuf of it")
	}
	return body, nil
}

func (u untyped) Diff(_ context.Context, before, after []byte, patch types.PatchType) ([]byte, error) {
	return difference(before, after, patch, u.meta)
}

func (untyped) Apply(_ context.Context, manifest []byte) ([]byte, error) { return manifest, nil }

func (untyped) Extract(context.Context, []byte, string) ([]byte, error) {
	return nil, unfit("a client without apply configurations of the kind extracts nothing")
}

// Approximate replaces real types, if a release has none of a kind or its clients cannot be
// built: it drops fields that the published schema does not declare, and cannot decode an object
// with a value of another JSON type than the schema's. It does not know which empty values a
// type omits, and is labelled approximate wherever it is named.
func Approximate(kind schema.Kind, merging Merging) Types {
	return approximate{untyped{merging.Meta}, kind}
}

type approximate struct {
	untyped
	kind schema.Kind
}

func (a approximate) Carry(_ context.Context, body []byte, from, to term.Encoding) ([]byte, error) {
	if from == term.Protobuf || to == term.Protobuf {
		return nil, unfit("types that are approximated by a schema have no protobuf")
	}
	object, err := parse(body)
	if err != nil {
		return nil, err
	}
	if misfit, is := a.kind.Misfit(object); is {
		return nil, unfit("json: cannot unmarshal %s into Go struct field %s of type %s", misfit.Is, path.String(misfit.Path), misfit.Wants)
	}
	return encode(a.kind.Decode(object))
}

func (a approximate) Diff(ctx context.Context, before, after []byte, patch types.PatchType) ([]byte, error) {
	var err error
	if before, err = a.Carry(ctx, before, term.JSON, term.JSON); err != nil {
		return nil, err
	}
	if after, err = a.Carry(ctx, after, term.JSON, term.JSON); err != nil {
		return nil, err
	}
	return a.untyped.Diff(ctx, before, after, patch)
}

func (a approximate) Apply(ctx context.Context, manifest []byte) ([]byte, error) {
	return a.Carry(ctx, manifest, term.JSON, term.JSON)
}

// parse reads an object. A client that cannot do so goes no further.
func parse(body []byte) (map[string]any, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(body, &object); err != nil {
		return nil, unfit("the body is no JSON object: %w", err)
	}
	return object, nil
}
