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

// The specs of 1.22+retag.
type (
	RetagV6 struct {
		StableV6   `json:",inline"`
		RetagField `json:",inline"`
	}
	RetagV5 struct {
		StableV5   `json:",inline"`
		RetagField `json:",inline"`
	}
	RetagV7beta1 struct {
		StableV7beta1 `json:",inline"`
		RetagField    `json:",inline"`
	}
)

// shineTakesTag gives shine the former tag of glow, which looks unused. Both are numbers: a
// glow that 1.20 stored becomes a shine, without an error. "New field in existing API version"
// asks for "a tombstone comment ensuring the field name and protobuf tag are not reused".
func shineTakesTag(r *release.Release) {
	shine(r)
	serveAll[RetagV6, RetagV5, RetagV7beta1](r)
}

// WireField is a string with the former tag of glow.
type WireField struct {
	Shine *string `json:"shine,omitempty" protobuf:"bytes,15,opt,name=shine" doc:"shine is how much light the object throws back, in percent."`
}

// The specs of 1.22+wire.
type (
	WireV6 struct {
		StableV6  `json:",inline"`
		WireField `json:",inline"`
	}
	WireV5 struct {
		StableV5  `json:",inline"`
		WireField `json:",inline"`
	}
	WireV7beta1 struct {
		StableV7beta1 `json:",inline"`
		WireField     `json:",inline"`
	}
)

// shineTakesTagAsText does the same for a string, which has another wire type: a stored glow
// cannot be decoded.
func shineTakesTagAsText(r *release.Release) {
	shine(r)
	serveAll[WireV6, WireV5, WireV7beta1](r)
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

// The specs of 1.22+name.
type (
	GlitterV6 struct {
		StableV6     `json:",inline"`
		GlitterField `json:",inline"`
	}
	GlitterV5 struct {
		StableV5     `json:",inline"`
		GlitterField `json:",inline"`
	}
	GlitterV7beta1 struct {
		StableV7beta1 `json:",inline"`
		GlitterField  `json:",inline"`
	}
)

// shineIsGlow reuses the name glow for another type. JSON identifies a field only by its name:
// a stored glow cannot be decoded.
func shineIsGlow(r *release.Release) {
	shine(r)
	serveAll[GlitterV6, GlitterV5, GlitterV7beta1](r)
	part(r, release.PartOf(release.Hooks[GlitterField]{
		ToInternal:   func(f *GlitterField, into *api.Spec) { into.Glow, into.Shine = nil, percent(f.Glow) },
		FromInternal: func(from *api.Spec, f *GlitterField) { f.Glow = percentText(from.Shine) },
	}))
}
