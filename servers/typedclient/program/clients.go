//go:build ignore

package main

import (
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

func (c *clients) perform(q request, bodies [][]byte) ([]byte, error) {
	gvk := schema.GroupVersionKind{Group: q.Group, Version: q.Version, Kind: q.Kind}
	if !c.typed[gvk] {
		return nil, errors.New("this release has no types for this kind")
	}
	switch q.Operation {
	case "carry":
		return c.carry(gvk, bodies[0], q.From, q.To)
	case "diff":
		return c.diff(gvk, bodies[0], bodies[1], types.PatchType(q.Patch))
	case "apply":
		return c.apply(gvk, bodies[0])
	}
	return c.extract(gvk, bodies[0], q)
}

// name is how a kind is written: "v1 Pod".
func name(gvk schema.GroupVersionKind) string { return gvk.GroupVersion().String() + " " + gvk.Kind }

// clients are the typed clients of all kinds.
type clients struct {
	release string
	codecs  runtime.NegotiatedSerializer
	typed   map[schema.GroupVersionKind]bool
}

func newClients() *clients {
	// As every generated clientset configures itself.
	c := &clients{release: release(), codecs: scheme.Codecs.WithoutConversion(), typed: map[schema.GroupVersionKind]bool{}}
	for gvk := range scheme.Scheme.AllKnownTypes() {
		object, err := scheme.Scheme.New(gvk)
		if err == nil && gvk.Version != runtime.APIVersionInternal && hasMetadata(object) {
			c.typed[gvk] = true
		}
	}
	return c
}

// hasMetadata tells objects and their lists from what is only ever a parameter
// of a request, such as PodLogOptions.
func hasMetadata(object runtime.Object) bool {
	switch object.(type) {
	case v1.ObjectMetaAccessor, v1.ListMetaAccessor:
		_, isStatus := object.(*v1.Status)
		return !isStatus
	}
	return false
}

type kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Apply   bool   `json:"apply"` // has an apply configuration
}

func (c *clients) kinds() []kind {
	var all []kind
	for gvk := range c.typed {
		all = append(all, kind{gvk.Group, gvk.Version, gvk.Kind, applyconfigurations.ForKind(gvk) != nil})
	}
	return all
}

// decode is what a typed GET does with an answer's body.
func (c *clients) decode(gvk schema.GroupVersionKind, body []byte, contentType string) (runtime.Object, error) {
	decoder, err := runtime.NewClientNegotiator(c.codecs, gvk.GroupVersion()).Decoder(contentType, nil)
	if err != nil {
		return nil, err
	}
	into, err := scheme.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	object, actual, err := decoder.Decode(body, nil, into)
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	if object != into || *actual != gvk {
		// A client would go on with an empty object, as if it had read that.
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
	encoder, err := runtime.NewClientNegotiator(c.codecs, gvk.GroupVersion()).Encoder(to, nil)
	if err != nil {
		return nil, err
	}
	return runtime.Encode(encoder, object)
}

// diff is what a client makes of an object before and after it changed it.
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
		object, err := scheme.Scheme.New(gvk)
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

// configuration is an empty apply configuration.
func configuration(gvk schema.GroupVersionKind) (any, error) {
	if a := applyconfigurations.ForKind(gvk); a != nil {
		return a, nil
	}
	return nil, errors.New("this release has no apply configuration for this kind")
}

// apply is what a client sends that built the manifest with apply
// configurations.
func (c *clients) apply(gvk schema.GroupVersionKind, manifest []byte) ([]byte, error) {
	a, err := configuration(gvk)
	if err != nil {
		return nil, err
	}
	// As the types are decoded: names of fields are told apart by case.
	if err := utiljson.Unmarshal(manifest, a); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	var meta v1.TypeMeta
	if err := utiljson.Unmarshal(manifest, &meta); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	if actual := meta.GroupVersionKind(); !actual.Empty() && actual != gvk {
		return nil, fmt.Errorf("decode: the manifest is of kind %s", name(actual))
	}
	return encode(a, gvk, nil)
}

// encode gives the configuration its kind, and name, as its constructor does:
// decoding on top of it changes nothing else.
func encode(a any, gvk schema.GroupVersionKind, metadata map[string]string) ([]byte, error) {
	identity := map[string]any{"kind": gvk.Kind, "apiVersion": gvk.GroupVersion().String()}
	if metadata != nil {
		identity["metadata"] = metadata
	}
	text, err := json.Marshal(identity)
	if err != nil {
		return nil, err
	}
	if err := utiljson.Unmarshal(text, a); err != nil {
		return nil, err
	}
	return json.Marshal(a)
}

// extract is what the ExtractX functions of apply configurations do, which
// cannot be called by kind.
func (c *clients) extract(gvk schema.GroupVersionKind, body []byte, q request) ([]byte, error) {
	a, err := configuration(gvk)
	if err != nil {
		return nil, err
	}
	object, err := c.decode(gvk, body, runtime.ContentTypeJSON)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(gvk) // the converter looks the schema up by it
	typed, err := applyconfigurations.NewTypeConverter(scheme.Scheme).ObjectToTyped(object)
	if err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	t := zero(managedfields.ExtractInto)
	t.Schema, t.TypeRef = typed.Schema(), typed.TypeRef()
	if err := managedfields.ExtractInto(object, t, q.Manager, a, q.Subresource); err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	return encode(a, gvk, identity(object))
}

// zero gives a value of the type of ExtractInto's second argument. It cannot be
// named: the path of its package differs between releases.
func zero[T any](func(runtime.Object, T, string, any, string) error) (t T) { return t }

// identity is the name that ExtractX sets, and the namespace where there is one.
func identity(object runtime.Object) map[string]string {
	m, ok := object.(v1.ObjectMetaAccessor)
	if !ok {
		return nil
	}
	id := map[string]string{"name": m.GetObjectMeta().GetName()}
	if namespace := m.GetObjectMeta().GetNamespace(); namespace != "" {
		id["namespace"] = namespace
	}
	return id
}
