package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// WidthSpec is still v6, with a width. It is a pointer, since 0 is a width and
// not the want of one ("Edit defaults.go").
type WidthSpec struct {
	BaseSpec `json:",inline"`
	Width    *int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
}

// addField is 1.1, the guide's "Adding a field": objects get a width. Its default
// is what all objects had before there was one, so whoever does not use it sees
// nothing of it.
func addField(r *release.Release) {
	serve(r, release.Of[WidthSpec, Status](v6, release.Forms[WidthSpec]{Default: defaultWidth}))
	rule(r, release.Rule{Validate: validateWidth, Observe: observeWidth})
}

func defaultWidth(s *WidthSpec) {
	defaultBase(&s.BaseSpec)
	if s.Width == nil {
		s.Width = new(int32(1))
	}
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
