package schema

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// LifecycleKey is the extension by which an API server publishes, of a field that is
// not stable, since when it exists, how far it has come, and its gate (KEP-2558).
const LifecycleKey = "x-kubernetes-api-lifecycle"

// The statuses of a field that is not stable.
const (
	Alpha      = "alpha"
	Beta       = "beta"
	Deprecated = "deprecated"
)

// Lifecycle is what a release publishes of how far a field has come. A field without
// one is stable, or its server publishes none of any field.
type Lifecycle struct {
	// Component is whose releases are meant: kubernetes. Default: nothing says.
	Component string
	// MinVersion is the release since which the status holds: v1.20.
	MinVersion string
	// Status is Alpha, Beta or Deprecated.
	Status string
	// FeatureGate is the gate that the field is behind. Default: none.
	FeatureGate string
}

// Lifecycles returns those of all components; nil if the path has none. It includes the
// lifecycles of parent fields.
func (k Gating) Lifecycles(p fieldpath.Path) (all []Lifecycle) {
	for _, place := range k.along(p) {
		all = append(all, k.stages[place]...)
	}
	return all
}

// PublishesLifecycles reports whether the release publishes a lifecycle for any field of the kind's
// group, so that a field without a lifecycle is stable.
func (k Gating) PublishesLifecycles() bool { return len(k.stages) > 0 }

// stagesOf reads every definition of a document.
func stagesOf(definitions map[string]*spec.Schema) map[gated][]Lifecycle {
	found := map[gated][]Lifecycle{}
	eachField(definitions, func(at gated, s *spec.Schema) {
		if all := lifecyclesOf(s.Extensions[LifecycleKey]); len(all) > 0 {
			found[at] = all
		}
	})
	return found
}

// lifecyclesOf reads what the extension holds: one lifecycle for each component, or,
// as early forms of it had, one or several without any.
func lifecyclesOf(v any) (all []Lifecycle) {
	switch v := v.(type) {
	case map[string]any:
		if l := lifecycleIn(v, ""); l != (Lifecycle{}) {
			return []Lifecycle{l}
		}
		for _, component := range slices.Sorted(maps.Keys(v)) {
			says, _ := v[component].(map[string]any)
			if l := lifecycleIn(says, component); l != (Lifecycle{Component: component}) {
				all = append(all, l)
			}
		}
	case []any:
		for _, one := range v {
			all = append(all, lifecyclesOf(one)...)
		}
	}
	return all
}

// lifecycleIn takes the texts, and nothing else.
func lifecycleIn(v map[string]any, component string) Lifecycle {
	text := func(key string) string {
		s, _ := v[key].(string)
		return s
	}
	return Lifecycle{component, text("minVersion"), text("status"), text("featureGate")}
}

// Field is one field of a definition that a document publishes.
type Field struct {
	// Definition is the name of the definition that has the field.
	Definition string
	// Place is where in it the field is: .spec.parts[].name for what is inlined.
	Place string
	// Lifecycle is the extension as it was read, whatever it holds; nil for none.
	Lifecycle any
	// Marked reports whether there is an extension, even a null one.
	Marked bool
}

// Fields lists what an OpenAPI v3 document defines, sorted.
func Fields(document []byte) ([]Field, error) {
	read, err := Read(document)
	if err != nil {
		return nil, err
	}
	var all []Field
	eachField(read.Definitions, func(at gated, s *spec.Schema) {
		of, marked := s.Extensions[LifecycleKey]
		all = append(all, Field{at.definition, at.place, of, marked})
	})
	return all, nil
}

// eachField visits every field of all definitions in their order, and what is inlined
// below them. What is referred to is a definition of its own.
func eachField(definitions map[string]*spec.Schema, visit func(gated, *spec.Schema)) {
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		eachBelow(gated{name, ""}, definitions[name], visit, 0)
	}
}

func eachBelow(at gated, s *spec.Schema, visit func(gated, *spec.Schema), depth int) {
	if s == nil || depth > maxDepth {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		field, here := s.Properties[name], gated{at.definition, at.place + "." + name}
		visit(here, &field)
		eachBelow(here, &field, visit, depth+1)
	}
	members := gated{at.definition, at.place + "[]"}
	if s.Items != nil {
		eachBelow(members, s.Items.Schema, visit, depth+1)
	}
	if s.AdditionalProperties != nil {
		eachBelow(members, s.AdditionalProperties.Schema, visit, depth+1)
	}
}

// eachValue visits every field of all definitions, and the elements of lists and the entries of maps, those within
// others too.
func eachValue(definitions map[string]*spec.Schema, visit func(gated, *spec.Schema)) {
	for name, definition := range definitions {
		eachValueBelow(gated{name, ""}, definition, visit, 0)
	}
}

func eachValueBelow(at gated, s *spec.Schema, visit func(gated, *spec.Schema), depth int) {
	if s == nil || depth > maxDepth {
		return
	}
	if at.place != "" {
		visit(at, s)
	}
	for name, field := range s.Properties {
		eachValueBelow(gated{at.definition, at.place + "." + name}, &field, visit, depth+1)
	}
	members := gated{at.definition, at.place + "[]"}
	if s.Items != nil {
		eachValueBelow(members, s.Items.Schema, visit, depth+1)
	}
	if s.AdditionalProperties != nil {
		eachValueBelow(members, s.AdditionalProperties.Schema, visit, depth+1)
	}
}

// Lifecycles are what the extension says, where it has a known form.
func (f Field) Lifecycles() []Lifecycle { return lifecyclesOf(f.Lifecycle) }

// MayGo reports whether the field is published as one that a later release may remove, as
// [Gating.MayGo] does for a path.
func (f Field) MayGo() bool { return mayGo(f.Lifecycles()) }
