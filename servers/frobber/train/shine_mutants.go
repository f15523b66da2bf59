package train

import (
	"fmt"
	"strconv"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func shineMutants() mutants {
	return mutants{"name": shineIsGlow, "retag": shineTakesTag, "wire": shineTakesTagAsText}
}

// RetagField is a number with the former tag of glow.
type RetagField struct {
	Shine *int32 `json:"shine,omitempty" protobuf:"varint,15,opt,name=shine" doc:"shine is how much light the object throws back, in percent."`
}

// RetagRest contains the other fields of an object.
type RetagRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	RetagField     `json:",inline"`
}

// RetagV6 is the spec of v6.
type RetagV6 struct {
	V6         `json:",inline"`
	StableSize `json:",inline"`
	ParamField `json:",inline"`
	RetagRest  `json:",inline"`
}

// RetagV5 is the spec of v5.
type RetagV5 struct {
	V5         `json:",inline"`
	StableSize `json:",inline"`
	ArgField   `json:",inline"`
	RetagRest  `json:",inline"`
}

// RetagV7beta1 is the spec of v7beta1.
type RetagV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       ShineSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	RetagRest  `json:",inline"`
}

// shineTakesTag gives shine the former tag of glow, which looks unused. Both are numbers: a
// glow that 1.20 stored becomes a shine, without an error. "New field in existing API version"
// asks for "a tombstone comment ensuring the field name and protobuf tag are not reused".
func shineTakesTag(r *release.Release) {
	shine(r)
	serve(r, release.Of[RetagV6, Status](v6))
	serve(r, release.Of[RetagV5, Status](v5))
	serve(r, release.Of[RetagV7beta1, Status](v7beta1))
}

// WireField is a string with the former tag of glow.
type WireField struct {
	Shine *string `json:"shine,omitempty" protobuf:"bytes,15,opt,name=shine" doc:"shine is how much light the object throws back, in percent."`
}

// WireRest contains the other fields of an object.
type WireRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	WireField      `json:",inline"`
}

// WireV6 is the spec of v6.
type WireV6 struct {
	V6         `json:",inline"`
	StableSize `json:",inline"`
	ParamField `json:",inline"`
	WireRest   `json:",inline"`
}

// WireV5 is the spec of v5.
type WireV5 struct {
	V5         `json:",inline"`
	StableSize `json:",inline"`
	ArgField   `json:",inline"`
	WireRest   `json:",inline"`
}

// WireV7beta1 is the spec of v7beta1.
type WireV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       ShineSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	WireRest   `json:",inline"`
}

// shineTakesTagAsText does the same for a string, which has another wire type: a stored glow
// cannot be decoded.
func shineTakesTagAsText(r *release.Release) {
	shine(r)
	serve(r, release.Of[WireV6, Status](v6))
	serve(r, release.Of[WireV5, Status](v5))
	serve(r, release.Of[WireV7beta1, Status](v7beta1))
	part(r, release.PartOf(release.Hooks[WireField]{
		ToInternal:   func(f *WireField, into *api.Spec) { into.Shine = percent(f.Shine) },
		FromInternal: func(from *api.Spec, f *WireField) { f.Shine = percentText(from.Shine) },
	}))
}

// percent parses a number. For other text it returns a value that validation refuses.
func percent(text *string) *int32 {
	if text == nil {
		return nil
	}
	value := int32(-1)
	if n, err := strconv.ParseInt(*text, 10, 32); err == nil {
		value = int32(n)
	}
	return &value
}

func percentText(value *int32) *string {
	if value == nil {
		return nil
	}
	text := fmt.Sprint(*value)
	return &text
}

// GlitterField has the former name of glow, and is a string.
type GlitterField struct {
	Glow *string `json:"glow,omitempty" protobuf:"bytes,20,opt,name=glow" doc:"glow is how much light the object throws back, in percent."`
}

// GlitterRest contains the other fields of an object.
type GlitterRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	GlitterField   `json:",inline"`
}

// GlitterV6 is the spec of v6.
type GlitterV6 struct {
	V6          `json:",inline"`
	StableSize  `json:",inline"`
	ParamField  `json:",inline"`
	GlitterRest `json:",inline"`
}

// GlitterV5 is the spec of v5.
type GlitterV5 struct {
	V5          `json:",inline"`
	StableSize  `json:",inline"`
	ArgField    `json:",inline"`
	GlitterRest `json:",inline"`
}

// GlitterV7beta1 is the spec of v7beta1.
type GlitterV7beta1 struct {
	V7beta1     `json:",inline"`
	Size        ShineSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField  `json:",inline"`
	GlitterRest `json:",inline"`
}

// shineIsGlow reuses the name glow for another type. JSON identifies a field only by its name:
// a stored glow cannot be decoded.
func shineIsGlow(r *release.Release) {
	shine(r)
	serve(r, release.Of[GlitterV6, Status](v6))
	serve(r, release.Of[GlitterV5, Status](v5))
	serve(r, release.Of[GlitterV7beta1, Status](v7beta1))
	part(r, release.PartOf(release.Hooks[GlitterField]{
		ToInternal:   func(f *GlitterField, into *api.Spec) { into.Glow, into.Shine = nil, percent(f.Glow) },
		FromInternal: func(from *api.Spec, f *GlitterField) { f.Glow = percentText(from.Shine) },
	}))
}
