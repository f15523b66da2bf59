package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// WidthField is the guide's first change ("Adding a field").
type WidthField struct {
	Width *int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
}

// WidthSize is how large an object can be from now on.
type WidthSize struct {
	HeightField `json:",inline"`
	WidthField  `json:",inline"`
}

// WidthV6 is still v6, with a width.
type WidthV6 struct {
	V6          `json:",inline"`
	WidthSize   `json:",inline"`
	ParamField  `json:",inline"`
	PlainFields `json:",inline"`
}

// WidthV5 has it too: "you can not extend one versioned API without also
// extending the others".
type WidthV5 struct {
	V5          `json:",inline"`
	WidthSize   `json:",inline"`
	ArgField    `json:",inline"`
	PlainFields `json:",inline"`
}

// addField is 1.1: objects get a width. Its default is what all objects had
// before there was one, so whoever does not use it sees nothing of it.
func addField(r *release.Release) {
	serve(r, release.Of[WidthV6, Status](v6))
	serve(r, release.Of[WidthV5, Status](v5))
	part(r, release.PartOf(release.Hooks[WidthField]{Default: func(f *WidthField) { fill(&f.Width, 1) }}))
	rule(r, release.Rule{Validate: validateWidth, Observe: observeWidth})
}

func validateWidth(_ release.Gates, f *api.Frobber) field.ErrorList {
	if f.Spec.Width == nil || *f.Spec.Width >= 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "width"), *f.Spec.Width, "must not be negative")}
}

// observeWidth is what the width means.
func observeWidth(f *api.Frobber) {
	if f.Spec.Width != nil {
		f.Status.Area = height(f) * int64(*f.Spec.Width)
	}
}
