package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// AlphaSpinTombstone replaces the alpha field.
type AlphaSpinTombstone struct{}

// Tombstone returns the reserved name and tag, and the note for users.
func (AlphaSpinTombstone) Tombstone() object.Tombstone {
	return object.Tombstone{Name: "alphaSpin", Tag: 18, Note: "The field alphaSpin has been removed - use spin."}
}

// The specs of 1.27.
type (
	SpinOnlyV6 struct {
		PromotedV6         `json:",inline"`
		AlphaSpinTombstone `json:",inline"`
		SpinField          `json:",inline"`
	}
	SpinOnlyV5 struct {
		PromotedV5         `json:",inline"`
		AlphaSpinTombstone `json:",inline"`
		SpinField          `json:",inline"`
	}
	SpinOnlyV7beta1 struct {
		PromotedV7beta1    `json:",inline"`
		AlphaSpinTombstone `json:",inline"`
		SpinField          `json:",inline"`
	}
)

// prefixGone is 1.27, the proposal's fourth release: alphaSpin is removed, so that an update
// drops it from the store, and strict validation refuses it. In the proposal's listing its
// description is still published; here no field is published that does not exist, and the
// spec's description mentions it ("Once we dropped support for the field, swagger would no
// longer show them").
func prefixGone(r *release.Release) {
	serveAll[SpinOnlyV6, SpinOnlyV5, SpinOnlyV7beta1](r)
	rule(r, release.Rule{Of: "spin",
		Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList { return notNegative(f.Spec.Spin, "spin") },
		Observe:  func(f *api.Frobber) { spin(f, f.Spec.Spin) }})
}
