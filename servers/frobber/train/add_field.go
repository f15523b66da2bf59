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

// The specs of 1.1.
type (
	WidthV6 struct {
		V6          `json:",inline"`
		HeightField `json:",inline"`
		WidthField  `json:",inline"`
		ParamField  `json:",inline"`
		PlainFields `json:",inline"`
	}
	WidthV5 struct {
		V5          `json:",inline"`
		HeightField `json:",inline"`
		WidthField  `json:",inline"`
		ArgField    `json:",inline"`
		PlainFields `json:",inline"`
	}
)

// addField is 1.1: objects get a width. Its default is what all objects had
// before there was one, so whoever does not use it sees nothing of it.
func addField(r *release.Release) {
	serveOld[WidthV6, WidthV5](r)
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
