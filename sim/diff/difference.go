package diff

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Difference is one thing that two releases publish or permit differently.
type Difference struct {
	Difference term.DifferenceKind `json:"difference"`
	// Group, Version and Kind are of the representative place; Kind is "" of what no kind has,
	// such as a feature gate.
	Group   string `json:"group"`
	Version string `json:"version,omitempty"`
	Kind    string `json:"kind,omitempty"`
	// Type is the published type that declares the field, by its name in OpenAPI; "" of what is
	// no field.
	Type string `json:"type,omitempty"`
	// Path is the field's path in objects of the kind, as objects.Kind.Fields spells it:
	// .spec.containers[].image; "" of what is no field.
	Path string `json:"path,omitempty"`
	// Name is what differs, if it is no kind and no field: a gate, a plug-in, a subresource, an
	// enum value, a rule.
	Name string `json:"name,omitempty"`
	// Old and New are what each release says, as text; "" is nothing.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Messages are what servers say of what a rule in CEL refuses, in the releases that have the rule;
	// none of another rule, or where the rule computes its message.
	Messages []string `json:"messages,omitempty"`
	// Gates are the feature gates that the field, value or kind is behind, in the release that
	// has it; and, for a gate's own difference, the gate.
	Gates []Gate `json:"gates,omitempty"`
	// Places are all kinds and paths that have the difference, the representative one first.
	Places []Place `json:"places,omitempty"`
	// UsedBy are, of a gate, the kinds whose own code in the API server uses it, each in its newest version.
	UsedBy []Place `json:"usedBy,omitempty"`
	// Playable reports whether a sweep can play the difference; false for those that are listed only.
	Playable bool `json:"playable"`
}

// IsWords reports whether nothing differs but what people type and read: further names of a kind, a warning, the
// columns of a table. It changes nothing that is stored or served.
func (d Difference) IsWords() bool {
	names := []string{"short names", "categories", "singular", "list kind", "deprecated"}
	return d.Difference == term.ColumnsChanged || d.Difference == term.NamesChanged && slices.Contains(names, d.Name)
}

// Place is one path of one kind.
type Place struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Path       string `json:"path,omitempty"`
}

// Gate is a feature gate with its state in both releases.
type Gate struct {
	Name   string          `json:"name"`
	Source term.GateSource `json:"source,omitempty"` // the evidence that the field is behind it
	Old    *GateState      `json:"old,omitempty"`    // nil: the release does not have it
	New    *GateState      `json:"new,omitempty"`
}

// GateState is what one release says of a gate.
type GateState struct {
	Stage   string `json:"stage"` // ALPHA, BETA, GA, DEPRECATED
	Default bool   `json:"default"`
	Locked  bool   `json:"locked,omitempty"`
}

// Result is the comparison of two releases.
type Result struct {
	Old         string       `json:"old"` // as the user named it
	New         string       `json:"new"`
	OldVersion  string       `json:"oldVersion,omitempty"`
	NewVersion  string       `json:"newVersion,omitempty"`
	Differences []Difference `json:"differences"`
	// NotCompared are what could not be compared, each with the reason.
	NotCompared []string `json:"notCompared"`
	// parts are the places where a kind holds what objects of another kind are made of, with the place in
	// that kind: a template.
	parts map[Place]Place
}
