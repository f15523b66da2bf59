package train

import (
	"fmt"

	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func gateBetaMutants() mutants {
	return mutants{"clears": betaAngleCleared, "early": betaGateReadEarly, "schema": betaAngleAsText}
}

// alphaAngleCleared is the last release whose gate is off by default, and clears a stored
// angle. That shows only in the next release: "Ensuring existing data is preserved is needed so
// that when the feature is enabled by default in a future version n [...] an n-1 API server
// [...] will not drop the data on update" ("New field in existing API version").
func alphaAngleCleared(r *release.Release) {
	colour(r)
	clearAngle(r)
}

// betaAngleCleared clears a stored angle if an operator has disabled the beta.
func betaAngleCleared(r *release.Release) {
	gateBeta(r)
	clearAngle(r)
}

func clearAngle(r *release.Release) {
	rule(r, release.Rule{Of: "angle", PrepareForCreate: createAngle, Validate: validateAngle,
		PrepareForUpdate: func(on release.Gates, updated, _ *api.Frobber) { createAngle(on, updated) }})
}

// betaGateReadEarly reads the gate before flags are parsed, as a package variable does:
// --feature-gates is ignored. The guide checks the gate within PrepareForCreate and
// PrepareForUpdate, at each request.
func betaGateReadEarly(r *release.Release) {
	gateBeta(r)
	enabled := r.Gates[Frobber2D].Default
	early := func(featuregate.Feature) bool { return enabled }
	rule(r, release.Rule{Of: "angle", Validate: validateAngle,
		PrepareForCreate: func(_ release.Gates, created *api.Frobber) { createAngle(early, created) },
		PrepareForUpdate: func(_ release.Gates, updated, old *api.Frobber) { updateAngle(early, updated, old) }})
}

// TextAngleField is an angle with its unit: "30deg".
type TextAngleField struct {
	Angle *string `json:"angle,omitempty" protobuf:"bytes,6,opt,name=angle" doc:"angle is how far the object is turned, as 30deg." lifecycle:"beta,1.18,Frobber2D"`
}

// The specs of 1.18+schema.
type (
	TextV6 struct {
		V6             `json:",inline"`
		InchesFields   `json:",inline"`
		TextAngleField `json:",inline"`
		ParamField     `json:",inline"`
		ColourRest     `json:",inline"`
	}
	TextV5 struct {
		V5             `json:",inline"`
		InchesFields   `json:",inline"`
		TextAngleField `json:",inline"`
		ArgField       `json:",inline"`
		ColourRest     `json:",inline"`
	}
	TextV7beta1 struct {
		V7beta1    `json:",inline"`
		Size       TextSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		ParamField `json:",inline"`
		ColourRest `json:",inline"`
	}
)

// TextSize is the size in v7beta1.
type TextSize struct {
	InchesFields   `json:",inline"`
	TextAngleField `json:",inline"`
}

// OpenAPIModelName returns the struct's name in published schemas.
func (TextSize) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// betaAngleAsText changes the field while it becomes beta: it is a string with a unit. "New
// field in existing API version": "if the schema of the alpha field must change in an
// incompatible way, a new field name must be used".
func betaAngleAsText(r *release.Release) {
	gateBeta(r)
	serveAll[TextV6, TextV5, TextV7beta1](r)
	part(r, release.PartOf(release.Hooks[TextAngleField]{
		ToInternal: func(f *TextAngleField, into *api.Spec) {
			into.Angle = nil
			if f.Angle != nil {
				into.Angle = degrees(*f.Angle)
			}
		},
		FromInternal: func(from *api.Spec, f *TextAngleField) {
			f.Angle = nil
			if from.Angle != nil {
				text := fmt.Sprintf("%ddeg", *from.Angle)
				f.Angle = &text
			}
		},
	}))
}

// degrees parses an angle. For other text it returns a value that validation refuses.
func degrees(text string) *int32 {
	var n int32
	if read, err := fmt.Sscanf(text, "%ddeg", &n); err != nil || read != 1 {
		n = -1
	}
	return &n
}
