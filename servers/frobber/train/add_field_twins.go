package train

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func addFieldTwins() twins {
	return twins{
		"required": widthRequired,
		"meaning":  widthOtherMeaning,
		"value":    widthByValue,
		"rewrites": widthAndTidyParam,
		"refuses":  widthAndHeightLimit,
	}
}

// RequiredSpec leaves out the default, and omitempty with it.
type RequiredSpec struct {
	BaseSpec `json:",inline"`
	Width    *int32 `json:"width" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits."`
}

// widthRequired makes the width a field that must be sent. "On compatibility": a
// compatible change "does not add a new required field", for who does not know
// the field cannot send it (rule 1).
func widthRequired(r *release.Release) {
	addField(r)
	serve(r, release.Of[RequiredSpec, Status](v6, release.Forms[RequiredSpec]{
		Default: func(s *RequiredSpec) { defaultBase(&s.BaseSpec) },
	}))
	rule(r, release.Rule{Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		if f.Spec.Width != nil {
			return nil
		}
		return field.ErrorList{field.Required(field.NewPath("spec", "width"), "how wide is it?")}
	}})
}

// MeaningSpec has another default.
type MeaningSpec struct {
	BaseSpec `json:",inline"`
	Width    *int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 2." default:"2"`
}

// widthOtherMeaning has a default that suits new objects, and gives those that
// there are already another meaning: all were 1 wide. "Adding a field": "the onus
// is on you to define a sane default value" (rule 2).
func widthOtherMeaning(r *release.Release) {
	addField(r)
	serve(r, release.Of[MeaningSpec, Status](v6, release.Forms[MeaningSpec]{Default: func(s *MeaningSpec) {
		defaultBase(&s.BaseSpec)
		if s.Width == nil {
			s.Width = new(int32(2))
		}
	}}))
}

// ValueSpec has the width as it stands in the guide's first listing: a value.
type ValueSpec struct {
	BaseSpec `json:",inline"`
	Width    int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
}

// widthByValue cannot tell a width of 0 from none, and makes it 1; its typed
// clients cannot even send it. "Edit defaults.go": "Do use pointers to scalars
// when you need to distinguish between an unset value and an automatic zero".
func widthByValue(r *release.Release) {
	addField(r)
	serve(r, release.Of[ValueSpec, Status](v6, release.Forms[ValueSpec]{Default: func(s *ValueSpec) {
		defaultBase(&s.BaseSpec)
		if s.Width == 0 {
			s.Width = 1
		}
	}}))
}

// widthAndTidyParam tidies up param while it is at it. "Edit defaults.go":
// "defaulting happens whenever a serialized version is read", so objects that
// nobody writes are served with another param than clients sent, and the next
// write, of whatever, stores it. "On compatibility": a change leaves the
// "interpretation of existing API types, fields, and values" alone (rule 2).
func widthAndTidyParam(r *release.Release) {
	addField(r)
	serve(r, release.Of[WidthSpec, Status](v6, release.Forms[WidthSpec]{Default: func(s *WidthSpec) {
		defaultWidth(s)
		s.Param = strings.ToLower(s.Param)
	}}))
}

// widthAndHeightLimit limits the height while it is at it, so that the area stays
// small. "Backward compatibility gotchas": "Validation rules on spec fields can
// neither be relaxed nor strengthened", for "any requests that previously worked
// must continue to work" (rule 1).
func widthAndHeightLimit(r *release.Release) {
	addField(r)
	rule(r, release.Rule{Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		if height(f) <= 100 {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec", "height"), height(f), "must be at most 100")}
	}})
}
