package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// SpinField is the field that has come of it.
type SpinField struct {
	Spin *int32 `json:"spin,omitempty" protobuf:"varint,19,opt,name=spin" doc:"spin is how fast the object turns, in rounds per minute."`
}

// IgnoredSpinField is the alpha field, kept for those who upgrade.
type IgnoredSpinField struct {
	AlphaSpin *int32 `json:"alphaSpin,omitempty" protobuf:"varint,18,opt,name=alphaSpin" doc:"This field has been removed - use spec.spin." lifecycle:"deprecated,1.26"`
}

// The specs of 1.26.
type (
	SpinV6 struct {
		PromotedV6       `json:",inline"`
		IgnoredSpinField `json:",inline"`
		SpinField        `json:",inline"`
	}
	SpinV5 struct {
		PromotedV5       `json:",inline"`
		IgnoredSpinField `json:",inline"`
		SpinField        `json:",inline"`
	}
	SpinV7beta1 struct {
		PromotedV7beta1  `json:",inline"`
		IgnoredSpinField `json:",inline"`
		SpinField        `json:",inline"`
	}
)

// prefixReal is 1.26, the proposal's third release: spin is out of alpha. alphaSpin
// is visible beside it, is stored as it is sent, and means nothing. It is validated
// all the same: 1.25 refuses every write of what it holds to be wrong.
func prefixReal(r *release.Release) {
	serveAll[SpinV6, SpinV5, SpinV7beta1](r)
	rule(r, release.Rule{Of: "spin",
		Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
			return append(notNegative(f.Spec.Spin, "spin"), notNegative(f.Spec.AlphaSpin, "alphaSpin")...)
		},
		Warn:    warnAlphaSpin,
		Observe: func(f *api.Frobber) { spin(f, f.Spec.Spin) }})
}

// warnAlphaSpin: "kubectl validate could flag this as unsupported".
func warnAlphaSpin(_ release.Gates, f *api.Frobber) []string {
	if f.Spec.AlphaSpin == nil {
		return nil
	}
	return []string{"spec.alphaSpin: this field has been removed - use spec.spin"}
}
