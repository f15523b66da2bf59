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

// ShineRest is what else an object has.
type ShineRest struct {
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

// ShineV6 is still v6.
type ShineV6 struct {
	V6         `json:",inline"`
	StableSize `json:",inline"`
	ParamField `json:",inline"`
	ShineRest  `json:",inline"`
}

// ShineV5 is still v5.
type ShineV5 struct {
	V5         `json:",inline"`
	StableSize `json:",inline"`
	ArgField   `json:",inline"`
	ShineRest  `json:",inline"`
}

// ShineV7beta1 is still v7beta1.
type ShineV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       ShineSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	ShineRest  `json:",inline"`
}

// ShineSizeMember is the size as v7beta1 has it.
type ShineSizeMember struct {
	StableSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (ShineSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// shine is 1.22: shine, with a tag of its own.
func shine(r *release.Release) {
	serve(r, release.Of[ShineV6, Status](v6))
	serve(r, release.Of[ShineV5, Status](v5))
	serve(r, release.Of[ShineV7beta1, Status](v7beta1))
	rule(r, release.Rule{Of: "shine", Validate: validateShine})
}

func validateShine(_ release.Gates, f *api.Frobber) field.ErrorList {
	if f.Spec.Shine == nil || *f.Spec.Shine >= 0 && *f.Spec.Shine <= 100 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "shine"), *f.Spec.Shine, "must be from 0 to 100")}
}
