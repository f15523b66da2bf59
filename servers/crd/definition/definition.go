package definition

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Version is what a server publishes of one version of a definition, and what it knows of it beside.
type Version struct {
	Group, Version, Kind, Plural string
	Namespaced                   bool
	ShortNames, Categories       []string
	Singular, ListKind           string
	// Deprecated is what servers warn clients of that use the version; "": it is not deprecated.
	Deprecated   string
	Subresources []string
	// Unserved are the versions of the definition that servers do not serve.
	Unserved []string
	// StorageVersion is the version that objects are stored in, Conversion the strategy that
	// converts them.
	StorageVersion, Conversion string
	// Columns are the columns of a table beside the name, each as columnOf has it; Selectable the paths
	// of the fields that lists can be selected by.
	Columns, Selectable []string
	// Scale has the paths of the scale subresource, Metadata the rules for the object's metadata, as
	// JSON; "": none.
	Scale, Metadata string
}

// VersionOf returns what a server publishes of one version of a definition.
func VersionOf(d apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion) Version {
	r := Version{
		Group: d.Spec.Group, Version: v.Name, Kind: d.Spec.Names.Kind, Plural: d.Spec.Names.Plural,
		Namespaced: d.Spec.Scope == apiextensionsv1.NamespaceScoped, ShortNames: d.Spec.Names.ShortNames, Categories: d.Spec.Names.Categories,
		Singular: d.Spec.Names.Singular, ListKind: d.Spec.Names.ListKind, Deprecated: deprecationOf(d, v),
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
		r.Columns = append(r.Columns, columnOf(c))
	}
	for _, f := range v.SelectableFields {
		r.Selectable = append(r.Selectable, f.JSONPath)
	}
	if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
		r.Metadata = metadataOf(v.Schema.OpenAPIV3Schema.Properties["metadata"])
	}
	return r
}

// Read reads a definition as a server has it.
func Read(definition []byte) (d apiextensionsv1.CustomResourceDefinition, err error) {
	err = json.Unmarshal(definition, &d)
	apiextensionsv1.SetDefaults_CustomResourceDefinition(&d)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&d.Spec)
	return d, err
}

// Versions returns what servers could publish of each version of a definition; none, if it cannot be read.
func Versions(definition []byte) (all []Version) {
	d, err := Read(definition)
	if err != nil {
		return nil
	}
	for _, v := range d.Spec.Versions {
		all = append(all, VersionOf(d, v))
	}
	return all
}

// deprecationOf returns what servers warn clients of that use a version; "": it is not deprecated.
func deprecationOf(d apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion) string {
	switch {
	case !v.Deprecated:
		return ""
	case v.DeprecationWarning != nil:
		return *v.DeprecationWarning
	}
	return d.Spec.Group + "/" + v.Name + " " + d.Spec.Names.Kind + " is deprecated"
}

// columnOf returns a column of a table as NAME PATH TYPE, with its format if it has one, and its priority if kubectl get shows it only with -o wide.
func columnOf(c apiextensionsv1.CustomResourceColumnDefinition) string {
	text := strings.TrimSpace(strings.Join([]string{c.Name, c.JSONPath, c.Type, c.Format}, " "))
	if c.Priority != 0 {
		text += fmt.Sprintf(" priority %d", c.Priority)
	}
	return text
}

// scaleOf returns the paths of a scale subresource.
func scaleOf(s apiextensionsv1.CustomResourceSubresourceScale) string {
	paths := []string{s.SpecReplicasPath, s.StatusReplicasPath}
	if s.LabelSelectorPath != nil && *s.LabelSelectorPath != "" {
		paths = append(paths, *s.LabelSelectorPath)
	}
	return strings.Join(paths, ", ")
}

// metadataOf returns the rules that a schema has for metadata, which servers do not publish; "":
// none.
func metadataOf(of apiextensionsv1.JSONSchemaProps) string {
	of.Properties = maps.Clone(of.Properties)
	for name, rules := range of.Properties {
		rules.Description, rules.Title = "", ""
		of.Properties[name] = rules
	}
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
