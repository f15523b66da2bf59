package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// MaterialField is a representation that can express one material.
type MaterialField struct {
	Material string `json:"material,omitempty" protobuf:"bytes,12,opt,name=material" doc:"material is what the object is made of, or most of it."`
}

// MaterialRest is what else an object has.
type MaterialRest struct {
	PlainFields   `json:",inline"`
	ParamsField   `json:",inline"`
	TuesdayField  `json:",inline"`
	MemberField   `json:",inline"`
	MaterialField `json:",inline"`
}

// MaterialV6 is still v6.
type MaterialV6 struct {
	V6           `json:",inline"`
	InchesSize   `json:",inline"`
	ParamField   `json:",inline"`
	MaterialRest `json:",inline"`
}

// MaterialV5 is still v5.
type MaterialV5 struct {
	V5           `json:",inline"`
	InchesSize   `json:",inline"`
	ArgField     `json:",inline"`
	MaterialRest `json:",inline"`
}

// MaterialV7beta1 is still v7beta1.
type MaterialV7beta1 struct {
	V7beta1      `json:",inline"`
	Size         MaterialSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField   `json:",inline"`
	MaterialRest `json:",inline"`
}

// MaterialSizeMember is the size as v7beta1 has it.
type MaterialSizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (MaterialSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// material is 1.15: what an object is made of, as long as that is one thing.
func material(r *release.Release) {
	serve(r, release.Of[MaterialV6, Status](v6))
	serve(r, release.Of[MaterialV5, Status](v5))
	serve(r, release.Of[MaterialV7beta1, Status](v7beta1))
}

func materialMutants() mutants { return nil }
