package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// DepthField is the depth as a field.
type DepthField struct {
	Depth *int32 `json:"depth,omitempty" protobuf:"varint,17,opt,name=depth" doc:"depth is how deep the object is, in cubits. The annotation frobbing.alpha.example.com/depth says the same and is kept in step."`
}

// The specs of 1.24.
type (
	PromotedV6 struct {
		V6               `json:",inline"`
		InchesFields     `json:",inline"`
		StableAngleField `json:",inline"`
		DepthField       `json:",inline"`
		ParamField       `json:",inline"`
		PlainFields      `json:",inline"`
		ParamsField      `json:",inline"`
		TuesdayField     `json:",inline"`
		MemberField      `json:",inline"`
		MaterialField    `json:",inline"`
		MaterialsField   `json:",inline"`
		ColourField      `json:",inline"`
		GlowTombstone    `json:",inline"`
		ShineField       `json:",inline"`
	}
	PromotedV5 struct {
		V5               `json:",inline"`
		InchesFields     `json:",inline"`
		StableAngleField `json:",inline"`
		DepthField       `json:",inline"`
		ArgField         `json:",inline"`
		PlainFields      `json:",inline"`
		ParamsField      `json:",inline"`
		TuesdayField     `json:",inline"`
		MemberField      `json:",inline"`
		MaterialField    `json:",inline"`
		MaterialsField   `json:",inline"`
		ColourField      `json:",inline"`
		GlowTombstone    `json:",inline"`
		ShineField       `json:",inline"`
	}
	PromotedV7beta1 struct {
		V7beta1        `json:",inline"`
		Size           PromotedSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		ParamField     `json:",inline"`
		PlainFields    `json:",inline"`
		ParamsField    `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
		ColourField    `json:",inline"`
		GlowTombstone  `json:",inline"`
		ShineField     `json:",inline"`
	}
)

// PromotedSize is the size in v7beta1.
type PromotedSize struct {
	InchesFields     `json:",inline"`
	StableAngleField `json:",inline"`
	DepthField       `json:",inline"`
}

// OpenAPIModelName returns the struct's name in published schemas.
func (PromotedSize) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// promoted is 1.24: the annotation becomes a field. From now on one value is in two places,
// permanently: servers of 1.23 and their clients know only the annotation. The guide says that
// annotations "cannot be migrated to first-class fields in the same API version", and its rules
// for a singular field and its plural are the best that can be done: a client that knows only
// the older place is taken literally, and both are stored. The price is that a client cannot
// clear only the field.
func promoted(r *release.Release) {
	serveAll[PromotedV6, PromotedV5, PromotedV7beta1](r)
	rule(r, release.Rule{Of: "depth", Read: readDepth, PrepareForCreate: createDepth, PrepareForUpdate: updateDepth,
		Validate:       validateDepth,
		ValidateCreate: func(_ release.Gates, f *api.Frobber) field.ErrorList { return validateAnnotation(f) },
		ValidateUpdate: validateNewAnnotation,
		Observe:        observeAnnotation})
}

// readDepth sets the field of an object that 1.23 stored.
func readDepth(f *api.Frobber) { f.Spec.Depth = annotatedDepth(f) }

func createDepth(_ release.Gates, created *api.Frobber) {
	_, annotated := created.Annotations[DepthAnnotation]
	switch {
	case created.Spec.Depth == nil:
		created.Spec.Depth = annotatedDepth(created)
	case !annotated:
		annotate(created, *created.Spec.Depth)
	}
}

// updateDepth finds out what a client meant that may know only one place.
func updateDepth(_ release.Gates, updated, old *api.Frobber) {
	annotationChanged := updated.Annotations[DepthAnnotation] != old.Annotations[DepthAnnotation]
	fieldChanged := updated.Spec.Depth != nil && !equal(updated.Spec.Depth, old.Spec.Depth)
	_, annotated := updated.Annotations[DepthAnnotation]
	switch {
	case !fieldChanged: // perhaps the client cannot send it
		updated.Spec.Depth = annotatedDepth(updated)
	case !annotationChanged || !annotated:
		annotate(updated, *updated.Spec.Depth)
	}
}

func equal(a, b *int32) bool { return a == b || a != nil && b != nil && *a == *b }

// validateDepth validates the value from either place, and that both agree.
func validateDepth(_ release.Gates, f *api.Frobber) field.ErrorList {
	depth, at := f.Spec.Depth, field.NewPath("spec", "depth")
	switch {
	case depth == nil:
		return nil
	case *depth < 0 || *depth > maxDepth:
		return field.ErrorList{field.Invalid(at, *depth, "must be from 0 to 1000")}
	case !equal(depth, annotatedDepth(f)):
		return field.ErrorList{field.Invalid(at, *depth, "must be what the annotation "+DepthAnnotation+" says")}
	}
	return nil
}
