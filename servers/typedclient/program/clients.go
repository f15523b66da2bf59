package program

import (
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Types are what a release's typed clients are made of.
type Types struct {
	// Release is v1.36.3.
	Release string
	// Scheme knows the release's types, each under its version.
	Scheme *runtime.Scheme
	// Codecs encode and decode these and convert nothing.
	Codecs runtime.NegotiatedSerializer
	// Configuration returns a pointer to an empty apply configuration of a kind, or nil for
	// a kind without one.
	Configuration func(schema.GroupVersionKind) any
	// Converter returns the schema of kinds with apply configurations. It is called on first
	// use.
	Converter func() (managedfields.TypeConverter, error)
}

// clients are the typed clients of all kinds.
type clients struct {
	types Types
	typed map[schema.GroupVersionKind]bool
}

func newClients(t Types) *clients {
	c := &clients{types: t, typed: map[schema.GroupVersionKind]bool{}}
	for gvk := range t.Scheme.AllKnownTypes() {
		object, err := t.Scheme.New(gvk)
		if err == nil && gvk.Version != runtime.APIVersionInternal && hasMetadata(object) {
			c.typed[gvk] = true
		}
	}
	return c
}

// hasMetadata distinguishes objects and their lists from types that are only parameters of a
// request, such as PodLogOptions.
func hasMetadata(object runtime.Object) bool {
	switch object.(type) {
	case metav1.ObjectMetaAccessor, metav1.ListMetaAccessor:
		_, isStatus := object.(*metav1.Status)
		return !isStatus
	}
	return false
}

func (c *clients) kinds() []Kind {
	all := []Kind{}
	for gvk := range c.typed {
		all = append(all, Kind{gvk.Group, gvk.Version, gvk.Kind, c.types.Configuration(gvk) != nil})
	}
	return all
}

func (c *clients) perform(q Request, bodies [][]byte) ([]byte, error) {
	gvk := schema.GroupVersionKind{Group: q.Group, Version: q.Version, Kind: q.Kind}
	if q.Operation == Panic {
		panic("as requested")
	}
	if !c.typed[gvk] {
		return nil, errors.New("this release has no types for this kind")
	}
	switch q.Operation {
	case Carry:
		return c.carry(gvk, bodies[0], q.From, q.To)
	case Diff:
		return c.diff(gvk, bodies[0], bodies[1], types.PatchType(q.Patch))
	case Apply:
		return c.apply(gvk, bodies[0])
	}
	return c.extract(gvk, bodies[0], q)
}

// name is how a kind is written: "v1 Pod".
func name(gvk schema.GroupVersionKind) string { return gvk.GroupVersion().String() + " " + gvk.Kind }

// decode decodes a response's body as a typed GET does.
func (c *clients) decode(gvk schema.GroupVersionKind, body []byte, contentType string) (runtime.Object, error) {
	decoder, err := runtime.NewClientNegotiator(c.types.Codecs, gvk.GroupVersion()).Decoder(contentType, nil)
	if err != nil {
		return nil, err
	}
	into, err := c.types.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	object, actual, err := decoder.Decode(body, nil, into)
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	if object != into || *actual != gvk {
		// A client would continue with an empty object, as if it had read that.
		return nil, fmt.Errorf("decode: the body is of kind %s", name(*actual))
	}
	return object, nil
}

// carry is GET, then PUT.
func (c *clients) carry(gvk schema.GroupVersionKind, body []byte, from, to string) ([]byte, error) {
	object, err := c.decode(gvk, body, from)
	if err != nil {
		return nil, err
	}
	encoder, err := runtime.NewClientNegotiator(c.types.Codecs, gvk.GroupVersion()).Encoder(to, nil)
	if err != nil {
		return nil, err
	}
	return runtime.Encode(encoder, object)
}

// diff returns the patch that a client computes from an object before and after its change.
func (c *clients) diff(gvk schema.GroupVersionKind, before, after []byte, patch types.PatchType) ([]byte, error) {
	from, err := c.plain(gvk, before)
	if err != nil {
		return nil, fmt.Errorf("before: %w", err)
	}
	to, err := c.plain(gvk, after)
	if err != nil {
		return nil, fmt.Errorf("after: %w", err)
	}
	switch patch {
	case types.MergePatchType:
		return jsonpatch.CreateMergePatch(from, to)
	case types.StrategicMergePatchType:
		object, err := c.types.Scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		return strategicpatch.CreateTwoWayMergePatch(from, to, object)
	}
	return nil, fmt.Errorf("no patch of type %q can be computed", patch)
}

// plain passes JSON through the types and encodes it as code outside of
// client-go does, without its codecs.
func (c *clients) plain(gvk schema.GroupVersionKind, body []byte) ([]byte, error) {
	object, err := c.decode(gvk, body, runtime.ContentTypeJSON)
	if err != nil {
		return nil, err
	}
	return json.Marshal(object)
}
