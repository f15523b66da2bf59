package program

import (
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// configuration is an empty apply configuration.
func (c *clients) configuration(gvk schema.GroupVersionKind) (any, error) {
	if a := c.types.Configuration(gvk); a != nil {
		return a, nil
	}
	return nil, errors.New("this release has no apply configuration for this kind")
}

// apply is what a client sends that built the manifest with apply
// configurations.
func (c *clients) apply(gvk schema.GroupVersionKind, manifest []byte) ([]byte, error) {
	a, err := c.configuration(gvk)
	if err != nil {
		return nil, err
	}
	// Like the types' decoder, which distinguishes the case of field names.
	if err := utiljson.Unmarshal(manifest, a); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	var meta metav1.TypeMeta
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
func (c *clients) extract(gvk schema.GroupVersionKind, body []byte, q Request) ([]byte, error) {
	a, err := c.configuration(gvk)
	if err != nil {
		return nil, err
	}
	object, err := c.decode(gvk, body, runtime.ContentTypeJSON)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(gvk) // the converter looks the schema up by it
	converter, err := c.types.Converter()
	if err != nil {
		return nil, err
	}
	typed, err := converter.ObjectToTyped(object)
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
	m, ok := object.(metav1.ObjectMetaAccessor)
	if !ok {
		return nil
	}
	id := map[string]string{"name": m.GetObjectMeta().GetName()}
	if namespace := m.GetObjectMeta().GetNamespace(); namespace != "" {
		id["namespace"] = namespace
	}
	return id
}
