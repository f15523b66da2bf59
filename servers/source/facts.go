package source

import (
	"cmp"
	"maps"
	"slices"
)

// Facts are what the source of one release says.
type Facts struct {
	// Fields are by the name under which OpenAPI publishes the type, then by the field's name in
	// JSON. Those of an embedded type are repeated in the type that embeds it.
	Fields map[string]map[string]Field `json:"fields,omitempty"`
	// TypeRules are the rules of types, by their names in OpenAPI. Those of a type that is no
	// struct are also among the rules of the fields that have the type.
	TypeRules map[string][]Rule `json:"typeRules,omitempty"`
	// Gates are the feature gates of all components of the release, by name.
	Gates map[string]Gate `json:"gates,omitempty"`
	// StorageVersions are the versions of resources that are not stored in the newest one, by
	// group and resource: "scheduling.k8s.io/workloads", "/pods" of the group without a name.
	StorageVersions map[string]string `json:"storageVersions,omitempty"`
	// VersionPriority lists the versions of each group as the source orders them, the preferred
	// one first.
	VersionPriority map[string][]string `json:"versionPriority,omitempty"`
	// AdmissionPlugins are those that are on by default, in their order.
	AdmissionPlugins []string `json:"admissionPlugins,omitempty"`
	// BootstrapRoles are the roles and bindings that a server creates at default settings, as
	// text by kind and name: "ClusterRole/view", "Role/kube-system/system:controller:x".
	BootstrapRoles map[string]string `json:"bootstrapRoles,omitempty"`
	// GatedRoles are the cluster roles with all alpha and beta gates on.
	GatedRoles map[string]string `json:"gatedRoles,omitempty"`
	// FieldSelectors are the field labels by which lists can be selected, by version and kind:
	// "v1/Pod", "batch/v1/Job". Kinds that are not listed have metadata.name and
	// metadata.namespace.
	FieldSelectors map[string][]string `json:"fieldSelectors,omitempty"`
	// Missing are what could not be read.
	Missing []Missing `json:"missing,omitempty"`
}

// Field is what the source says of one field.
type Field struct {
	Tag
	// Rules are the declarative validation rules, in the order of the source.
	Rules []Rule `json:"rules,omitempty"`
	// Protobuf is the field's encoding; empty for a type without protobuf.
	Protobuf Protobuf `json:"protobuf,omitzero"`
}

// Protobuf is how a field is encoded.
type Protobuf struct {
	// Number is the field's number; of a member of an embedded type that of the embedded
	// message before it: "1.3".
	Number string `json:"number"`
	// Wire is the wire type, with the label if a list: "bytes", "varint", "bytes,rep".
	Wire string `json:"wire"`
}

// String returns the number and the wire type; "" of nothing.
func (p Protobuf) String() string {
	if p == (Protobuf{}) {
		return ""
	}
	return p.Number + " " + p.Wire
}

// Missing is what could not be read, and why.
type Missing struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Tags returns the feature gates of fields alone.
func (f Facts) Tags() Tags {
	all := Tags{}
	for name, fields := range f.Fields {
		tagged := map[string]Tag{}
		for field, of := range fields {
			if len(of.Gates)+len(of.Values) > 0 {
				tagged[field] = of.Tag
			}
		}
		if len(tagged) > 0 {
			all[name] = tagged
		}
	}
	return all
}

// Needs returns the gates that a gate needs, directly and through others, sorted.
func (f Facts) Needs(gate string) []string {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		for _, need := range f.Gates[name].Needs {
			if !seen[need] {
				seen[need] = true
				visit(need)
			}
		}
	}
	visit(gate)
	delete(seen, gate)
	return slices.Sorted(maps.Keys(seen))
}

// FieldRef is a field, or one value of a field, that is behind a gate.
type FieldRef struct {
	Type  string // the type's name in OpenAPI
	Field string // the field's name in JSON
	Value string // "": the whole field
	// Rule is the validation rule that depends on the gate; "": a +featureGate tag names the gate.
	Rule string
}

// FieldGates returns the fields and values behind a gate, and the fields with a validation
// rule that depends on the gate, sorted.
func (f Facts) FieldGates(gate string) []FieldRef {
	var all []FieldRef
	for name, fields := range f.Fields {
		for field, of := range fields {
			at := FieldRef{Type: name, Field: field}
			all = append(all, of.behind(gate, at)...)
		}
	}
	slices.SortFunc(all, func(a, b FieldRef) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Rule, b.Rule))
	})
	return all
}

// behind returns what of one field is behind a gate.
func (f Field) behind(gate string, at FieldRef) (all []FieldRef) {
	if slices.Contains(f.Gates, gate) {
		all = append(all, at)
	}
	for value, gates := range f.Values {
		if slices.Contains(gates, gate) {
			all = append(all, FieldRef{Type: at.Type, Field: at.Field, Value: value})
		}
	}
	for _, r := range f.Rules {
		if slices.Contains(r.Gates(), gate) {
			all = append(all, FieldRef{Type: at.Type, Field: at.Field, Rule: r.String()})
		}
	}
	return all
}

// add lays other facts over these.
func (f *Facts) add(other Facts) {
	f.Fields = over(f.Fields, other.Fields)
	f.TypeRules = over(f.TypeRules, other.TypeRules)
	f.Gates = over(f.Gates, other.Gates)
	f.StorageVersions = over(f.StorageVersions, other.StorageVersions)
	f.VersionPriority = over(f.VersionPriority, other.VersionPriority)
	f.AdmissionPlugins = append(f.AdmissionPlugins, other.AdmissionPlugins...)
	f.BootstrapRoles = over(f.BootstrapRoles, other.BootstrapRoles)
	f.GatedRoles = over(f.GatedRoles, other.GatedRoles)
	f.FieldSelectors = over(f.FieldSelectors, other.FieldSelectors)
	f.Missing = append(f.Missing, other.Missing...)
}

// over returns a map with the entries of both.
func over[V any](under, other map[string]V) map[string]V {
	switch {
	case len(other) == 0:
		return under
	case under == nil:
		return other
	}
	maps.Copy(under, other)
	return under
}

// miss notes what could not be read.
func (f *Facts) miss(what string, why error) {
	f.Missing = append(f.Missing, Missing{What: what, Why: why.Error()})
}
