package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// WidthSpec is v6 with a width, the guide's first example ("Adding a field").
type WidthSpec struct {
	BaseSpec `json:",inline"`
	Width    *int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
}

// addField is 1.1: objects get a width. Its default is what all objects had
// before there was one, so whoever does not use it sees nothing of it.
func addField(r *release.Release) {
	r.Versions = []release.Version{release.Of[WidthSpec, Status]("v6", release.Forms[WidthSpec]{Default: defaultWidth})}
	r.Rules = append(r.Rules, release.Rule{Validate: validateWidth, Observe: observeWidth})
}

func defaultWidth(s *WidthSpec) {
	defaultBase(&s.BaseSpec)
	if s.Width == nil {
		one := int32(1)
		s.Width = &one
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
