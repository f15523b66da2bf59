package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// MaterialField is a representation that can express one material.
type MaterialField struct {
	Material string `json:"material,omitempty" protobuf:"bytes,12,opt,name=material" doc:"material is what the object is made of, or most of it."`
}

// The specs of 1.15.
type (
	MaterialV6 struct {
		InchesV6      `json:",inline"`
		TuesdayField  `json:",inline"`
		MemberField   `json:",inline"`
		MaterialField `json:",inline"`
	}
	MaterialV5 struct {
		InchesV5      `json:",inline"`
		TuesdayField  `json:",inline"`
		MemberField   `json:",inline"`
		MaterialField `json:",inline"`
	}
	MaterialV7beta1 struct {
		InchesV7beta1 `json:",inline"`
		TuesdayField  `json:",inline"`
		MemberField   `json:",inline"`
		MaterialField `json:",inline"`
	}
)

// material is 1.15: what an object is made of, as long as that is one thing.
func material(r *release.Release) {
	serveAll[MaterialV6, MaterialV5, MaterialV7beta1](r)
}

func materialMutants() mutants { return nil }
