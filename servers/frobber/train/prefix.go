package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// AlphaSpinField is an alpha field by its name, behind no gate.
type AlphaSpinField struct {
	AlphaSpin *int32 `json:"alphaSpin,omitempty" protobuf:"varint,18,opt,name=alphaSpin" doc:"alphaSpin is how fast the object turns, in rounds per minute. Feature is alpha and may change without notice." lifecycle:"alpha,1.25"`
}

// The specs of 1.25.
type (
	PrefixV6 struct {
		PromotedV6     `json:",inline"`
		AlphaSpinField `json:",inline"`
	}
	PrefixV5 struct {
		PromotedV5     `json:",inline"`
		AlphaSpinField `json:",inline"`
	}
	PrefixV7beta1 struct {
		PromotedV7beta1 `json:",inline"`
		AlphaSpinField  `json:",inline"`
	}
)

// prefix is 1.25, the second release of the alpha-field proposal: alphaSpin is
// visible and honoured, and its name says what it is. The releases before drop it
// in silence, as any field that they do not know.
func prefix(r *release.Release) {
	serveAll[PrefixV6, PrefixV5, PrefixV7beta1](r)
	rule(r, release.Rule{Of: "spin",
		Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
			return notNegative(f.Spec.AlphaSpin, "alphaSpin")
		},
		Observe: func(f *api.Frobber) { spin(f, f.Spec.AlphaSpin) }})
}

// spin is what the spin means: an object that turns needs twice the area.
func spin(f *api.Frobber, rounds *int32) {
	if rounds != nil && *rounds > 0 {
		f.Status.Area *= 2
	}
}
