package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func renameMutants() mutants {
	return mutants{
		"fails":    disagreementRefused,
		"new-wins": inchesCount,
		"drift":    namesDrift,
		"zero":     zeroIsUnset,
	}
}

// ofNames gives a release 1.7 its edit, and the rule that the edit has added.
func ofNames(r *release.Release) *release.Rule {
	rename(r)
	return &r.Rules[len(r.Rules)-1]
}

// fillEach is the guide's first attempt: "set each corresponding field from the
// other in the defaulting logic".
func fillEach(_ release.Gates, updated, _ *api.Frobber) {
	for _, n := range renamed(&updated.Spec) {
		fillFrom(n.former, *n.inches)
		fillFrom(n.inches, *n.former)
	}
}

// disagreementRefused refuses an object whose names disagree, as if only a mistake
// could bring that about. "Multiple API versions": "only one field would be updated
// in the case of an old client that was only aware of the old field", and "the
// update must not fail".
func disagreementRefused(r *release.Release) {
	added := ofNames(r)
	added.PrepareForUpdate = fillEach
	added.ValidateUpdate = func(_ release.Gates, updated, _ *api.Frobber) (all field.ErrorList) {
		spec := field.NewPath("spec")
		for i, n := range renamed(&updated.Spec) {
			if *n.inches != nil && !same(*n.former, *n.inches) {
				at := spec.Child([]string{"heightInInches", "widthInInches"}[i])
				all = append(all, field.Invalid(at, **n.inches, "must be the same as under its former name"))
			}
		}
		return all
	}
}

// inchesCount has the new name win, since it is the better one. Whoever only knows
// the former is answered with success, and changes nothing: "As per the
// compatibility rules", what "would have worked before the change" works (rule 2).
func inchesCount(r *release.Release) {
	ofNames(r).PrepareForUpdate = func(_ release.Gates, updated, _ *api.Frobber) {
		for _, n := range renamed(&updated.Spec) {
			if *n.inches != nil {
				*n.former = nil
			}
		}
		fillEach(nil, updated, nil)
	}
}

// namesDrift fills in what is left out, and leaves what is sent as it is: after a
// PATCH of the one name the two have different values, and each client goes by
// another. "It may require multiple representations of the same information in the
// same API resource, which need to be kept in sync should either be changed".
func namesDrift(r *release.Release) {
	added := ofNames(r)
	added.PrepareForUpdate = fillEach
	added.Read = func(f *api.Frobber) { fillEach(nil, f, nil) }
}

// ZeroSize has values where pointers are due.
type ZeroSize struct {
	HeightField    `json:",inline"`
	Width          int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
	AngleField     `json:",inline"`
	HeightInInches int32 `json:"heightInInches,omitempty" protobuf:"varint,8,opt,name=heightInInches" doc:"heightInInches is how high the object is; default: height."`
	WidthInInches  int32 `json:"widthInInches,omitempty" protobuf:"varint,9,opt,name=widthInInches" doc:"widthInInches is how wide the object is; default: width."`
}

// ZeroSizeMember is the size as v7beta1 has it.
type ZeroSizeMember struct {
	ZeroSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (ZeroSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// The specs of 1.7+zero.
type (
	ZeroV6 struct {
		V6          `json:",inline"`
		ZeroSize    `json:",inline"`
		ParamField  `json:",inline"`
		PlainFields `json:",inline"`
		ParamsField `json:",inline"`
	}
	ZeroV5 struct {
		V5          `json:",inline"`
		ZeroSize    `json:",inline"`
		ArgField    `json:",inline"`
		PlainFields `json:",inline"`
		ParamsField `json:",inline"`
	}
	ZeroV7beta1 struct {
		V7beta1     `json:",inline"`
		Size        ZeroSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		ParamField  `json:",inline"`
		PlainFields `json:",inline"`
		ParamsField `json:",inline"`
	}
)

// zeroIsUnset cannot tell a width of 0 from one that was left out. "You convert
// all of the fields to pointers in order to distinguish between unset and set to 0".
func zeroIsUnset(r *release.Release) {
	rename(r)
	serveAll[ZeroV6, ZeroV5, ZeroV7beta1](r)
	part(r, release.PartOf(release.Hooks[ZeroSize]{
		Default: func(s *ZeroSize) {
			if s.Width == 0 && s.WidthInInches == 0 {
				s.Width = 1
			}
		},
		ToInternal: func(_ *ZeroSize, into *api.Spec) {
			for _, n := range renamed(into) {
				for _, p := range []**int32{n.former, n.inches} {
					if **p == 0 {
						*p = nil
					}
				}
			}
		},
	}))
}
