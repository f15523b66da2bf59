package crd

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	openapi "k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/kube-openapi/pkg/spec3"
)

// Published is what a server publishes of definitions.
type Published struct {
	// Documents are the OpenAPI v3 documents by group version.
	Documents map[string][]byte
	Resources []PublishedResource
}

// PublishedResource is one version of a definition.
type PublishedResource struct {
	Group, Version, Kind, Plural string
	Namespaced                   bool
	ShortNames, Categories       []string
	Subresources                 []string
	// Unserved are the versions of the definition that servers do not serve.
	Unserved []string
	// StorageVersion is the version that objects are stored in, Conversion the strategy that
	// converts them.
	StorageVersion, Conversion string
	// Columns are the columns of a table beside the name, each as NAME PATH; Selectable the paths
	// of the fields that lists can be selected by.
	Columns, Selectable []string
	// Scale has the paths of the scale subresource, Metadata the rules for the object's metadata, as
	// JSON; "": none.
	Scale, Metadata string
}

// Publish returns what a kube-apiserver would publish of the definitions of a folder. It uses
// the code of the server of this program's libraries, and starts none.
func Publish(set Set) (Published, error) {
	all := Published{Documents: map[string][]byte{}}
	specs := map[string][]*spec3.OpenAPI{}
	for _, d := range set.Definitions {
		definition, err := withDefaults(d.JSON)
		if err != nil {
			return all, fmt.Errorf("%s: %w", d.Name, err)
		}
		for _, v := range definition.Spec.Versions {
			if !v.Served {
				continue
			}
			spec, err := openapi.BuildOpenAPIV3(&definition, v.Name, openapi.Options{IncludeSelectableFields: true})
			if err != nil {
				return all, fmt.Errorf("%s: version %s: %w", d.Name, v.Name, err)
			}
			gv := d.Group + "/" + v.Name
			specs[gv] = append(specs[gv], spec)
			all.Resources = append(all.Resources, publishedResource(definition, v))
		}
	}
	for _, gv := range slices.Sorted(maps.Keys(specs)) {
		merged, err := openapi.MergeSpecsV3(specs[gv]...)
		if err != nil {
			return all, fmt.Errorf("%s: %w", gv, err)
		}
		if all.Documents[gv], err = json.Marshal(merged); err != nil {
			return all, fmt.Errorf("%s: %w", gv, err)
		}
	}
	return all, nil
}

func publishedResource(d apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion) PublishedResource {
	r := PublishedResource{
		Group: d.Spec.Group, Version: v.Name, Kind: d.Spec.Names.Kind, Plural: d.Spec.Names.Plural,
		Namespaced: d.Spec.Scope == apiextensionsv1.NamespaceScoped, ShortNames: d.Spec.Names.ShortNames, Categories: d.Spec.Names.Categories,
		Conversion: conversionOf(d), StorageVersion: storageOf(d),
	}
	for _, other := range d.Spec.Versions {
		if !other.Served {
			r.Unserved = append(r.Unserved, other.Name)
		}
	}
	if v.Subresources != nil && v.Subresources.Scale != nil {
		r.Subresources = append(r.Subresources, "scale")
		r.Scale = scaleOf(*v.Subresources.Scale)
	}
	if v.Subresources != nil && v.Subresources.Status != nil {
		r.Subresources = append(r.Subresources, "status")
	}
	for _, c := range v.AdditionalPrinterColumns {
		r.Columns = append(r.Columns, c.Name+" "+c.JSONPath)
	}
	for _, f := range v.SelectableFields {
		r.Selectable = append(r.Selectable, f.JSONPath)
	}
	if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
		r.Metadata = metadataOf(v.Schema.OpenAPIV3Schema.Properties["metadata"])
	}
	return r
}

// withDefaults reads a definition as a server has it.
func withDefaults(definition []byte) (d apiextensionsv1.CustomResourceDefinition, err error) {
	err = json.Unmarshal(definition, &d)
	apiextensionsv1.SetDefaults_CustomResourceDefinition(&d)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&d.Spec)
	return d, err
}

// Versions returns what servers could publish of each version of a definition; none, if it cannot be read.
func Versions(definition []byte) (all []PublishedResource) {
	d, err := withDefaults(definition)
	if err != nil {
		return nil
	}
	for _, v := range d.Spec.Versions {
		all = append(all, publishedResource(d, v))
	}
	return all
}

// scaleOf returns the paths of a scale subresource.
func scaleOf(s apiextensionsv1.CustomResourceSubresourceScale) string {
	paths := []string{s.SpecReplicasPath, s.StatusReplicasPath}
	if s.LabelSelectorPath != nil {
		paths = append(paths, *s.LabelSelectorPath)
	}
	return strings.Join(paths, ", ")
}

// metadataOf returns the rules that a schema has for metadata, which servers do not publish; "":
// none.
func metadataOf(of apiextensionsv1.JSONSchemaProps) string {
	text, err := json.Marshal(of.Properties)
	if err != nil || len(of.Properties) == 0 {
		return ""
	}
	return string(text)
}

// conversionOf returns how a definition's versions are converted; "" if there is only one.
func conversionOf(d apiextensionsv1.CustomResourceDefinition) string {
	if len(d.Spec.Versions) < 2 || d.Spec.Conversion == nil {
		return ""
	}
	return string(d.Spec.Conversion.Strategy)
}

// storageOf returns the version that a definition's objects are stored in.
func storageOf(d apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range d.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}
