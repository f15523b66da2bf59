package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// ColourField is a field with a default, which is a value that says what it means.
type ColourField struct {
	Colour *string `json:"colour,omitempty" protobuf:"bytes,14,opt,name=colour" default:"\"plain\"" doc:"colour is what the object is painted with; default plain, which is no paint."`
}

// ColourRest is what else an object has.
type ColourRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
}

// The specs of 1.17.
type (
	ColourV6 struct {
		V6           `json:",inline"`
		InchesFields `json:",inline"`
		AngleField   `json:",inline"`
		ParamField   `json:",inline"`
		ColourRest   `json:",inline"`
	}
	ColourV5 struct {
		V5           `json:",inline"`
		InchesFields `json:",inline"`
		AngleField   `json:",inline"`
		ArgField     `json:",inline"`
		ColourRest   `json:",inline"`
	}
	ColourV7beta1 struct {
		V7beta1    `json:",inline"`
		Size       InchesSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		ParamField `json:",inline"`
		ColourRest `json:",inline"`
	}
)

// plain is the colour of what was never painted: all objects before there was one.
const plain = "plain"

// colour is 1.17: "Any field with a default value in one API version must have a
// non-nil default value in all API versions", and "the default values must be
// semantically equivalent". So they are one and the same, since each version embeds
// the one struct, and whatever is read or sent has a colour from then on.
func colour(r *release.Release) {
	serveAll[ColourV6, ColourV5, ColourV7beta1](r)
	part(r, release.PartOf(release.Hooks[ColourField]{Default: func(f *ColourField) { fillColour(&f.Colour, plain) }}))
	rule(r, release.Rule{
		ValidateCreate: validateColour,
		ValidateUpdate: func(on release.Gates, updated, _ *api.Frobber) field.ErrorList { return validateColour(on, updated) },
		Observe:        observeColour,
	})
}

func fillColour(into **string, value string) {
	if *into == nil {
		*into = &value
	}
}

// validateColour relies on the default.
func validateColour(_ release.Gates, f *api.Frobber) field.ErrorList {
	if f.Spec.Colour != nil && *f.Spec.Colour != "" {
		return nil
	}
	return field.ErrorList{field.Required(field.NewPath("spec", "colour"), "plain is what is not painted")}
}

// observeColour is what the colour means: paint covers both sides.
func observeColour(f *api.Frobber) {
	if f.Spec.Colour != nil && *f.Spec.Colour != plain {
		f.Status.Area *= 2
	}
}
