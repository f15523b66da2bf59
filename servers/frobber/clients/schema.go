package clients

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

// converter makes the schema of the given kinds, from which one reads what a
// manager owns of an object.
func converter(objects map[schema.GroupVersionKind]runtime.Object) (managedfields.TypeConverter, error) {
	all := definitions(slices.Collect(maps.Values(objects)))
	models := map[string]*spec.Schema{}
	for gvk, o := range objects {
		name := util.GetCanonicalTypeName(o)
		if err := collect(name, all, models); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", gvk, err)
		}
		models[name].AddExtension("x-kubernetes-group-version-kind", []any{
			map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind},
		})
	}
	return managedfields.NewTypeConverter(models, false)
}

// definitions describe the kinds of the release, and all that the libraries which
// its server is made of describe.
func definitions(kinds []runtime.Object) map[string]common.OpenAPIDefinition {
	ref := func(name string) spec.Ref { return spec.MustCreateRef("#/components/schemas/" + name) }
	all := openapi.GetOpenAPIDefinitions(ref)
	for _, kind := range kinds {
		if _, described := all[util.GetCanonicalTypeName(kind)]; !described {
			maps.Copy(all, object.Definitions(ref, kind))
		}
	}
	return all
}

// collect takes a definition, and those that it needs.
func collect(name string, from map[string]common.OpenAPIDefinition, into map[string]*spec.Schema) error {
	if into[name] != nil {
		return nil
	}
	d, ok := from[name]
	if !ok {
		return fmt.Errorf("nothing describes %s", name)
	}
	into[name] = &d.Schema
	for _, needed := range d.Dependencies {
		if err := collect(needed, from, into); err != nil {
			return err
		}
	}
	return nil
}
