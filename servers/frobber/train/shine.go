package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// ShineField is what glow ought to have been, under a name and a tag that nothing
// stored has.
type ShineField struct {
	Shine *int32 `json:"shine,omitempty" protobuf:"varint,16,opt,name=shine" doc:"shine is how much light the object throws back, in percent."`
}

// The specs of 1.22.
type (
	ShineV6 struct {
		StableV6      `json:",inline"`
		GlowTombstone `json:",inline"`
		ShineField    `json:",inline"`
	}
	ShineV5 struct {
		StableV5      `json:",inline"`
		GlowTombstone `json:",inline"`
		ShineField    `json:",inline"`
	}
	ShineV7beta1 struct {
		StableV7beta1 `json:",inline"`
		GlowTombstone `json:",inline"`
		ShineField    `json:",inline"`
	}
)

// shine is 1.22: shine, with a tag of its own.
func shine(r *release.Release) {
	serveAll[ShineV6, ShineV5, ShineV7beta1](r)
	rule(r, release.Rule{Of: "shine", Validate: validateShine})
}

func validateShine(_ release.Gates, f *api.Frobber) field.ErrorList {
	if f.Spec.Shine == nil || *f.Spec.Shine >= 0 && *f.Spec.Shine <= 100 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "shine"), *f.Spec.Shine, "must be from 0 to 100")}
}
