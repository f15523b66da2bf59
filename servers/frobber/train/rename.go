package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// InchesFields are height and width, with their new names, which contain the unit. "You convert
// all of the fields to pointers in order to distinguish between unset and set to 0".
type InchesFields struct {
	Height         *int32 `json:"height" protobuf:"varint,1,opt,name=height" default:"0" doc:"height is how high the object is. It is the former name of heightInInches, and always the same."`
	Width          *int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" default:"1" doc:"width is how wide the object is; default 1. It is the former name of widthInInches, and always the same."`
	HeightInInches *int32 `json:"heightInInches,omitempty" protobuf:"varint,8,opt,name=heightInInches" doc:"heightInInches is how high the object is; default: height. It can be created alone, and is replaced together with height. Where a write gives both another value, height counts."`
	WidthInInches  *int32 `json:"widthInInches,omitempty" protobuf:"varint,9,opt,name=widthInInches" doc:"widthInInches is how wide the object is; default: width. It can be created alone, and is replaced together with width. Where a write gives both another value, width counts."`
}

// The specs of 1.7.
type (
	InchesV6 struct {
		V6           `json:",inline"`
		InchesFields `json:",inline"`
		AngleField   `json:",inline"`
		ParamField   `json:",inline"`
		PlainFields  `json:",inline"`
		ParamsField  `json:",inline"`
	}
	InchesV5 struct {
		V5           `json:",inline"`
		InchesFields `json:",inline"`
		AngleField   `json:",inline"`
		ArgField     `json:",inline"`
		PlainFields  `json:",inline"`
		ParamsField  `json:",inline"`
	}
	InchesV7beta1 struct {
		V7beta1     `json:",inline"`
		Size        InchesSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		ParamField  `json:",inline"`
		PlainFields `json:",inline"`
		ParamsField `json:",inline"`
	}
)

// InchesSize is the size in v7beta1.
type InchesSize struct {
	InchesFields `json:",inline"`
	AngleField   `json:",inline"`
}

// OpenAPIModelName returns the struct's name in published schemas.
func (InchesSize) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// rename is 1.7: heightInInches and widthInInches in addition to height and width, the guide's
// example in "Multiple API versions". Both names of a field are always served, with one value.
// A client that knows only the former name changes only that, and sends the new one back as it
// was read: "the update must not fail, because it would have worked before the change", and
// must have the same effect.
func rename(r *release.Release) {
	serveAll[InchesV6, InchesV5, InchesV7beta1](r)
	part(r, release.PartOf(release.Hooks[InchesFields]{Default: func(s *InchesFields) {
		fillBoth(&s.Height, s.HeightInInches, 0)
		fillBoth(&s.Width, s.WidthInInches, 1)
	}}))
	rule(r, release.Rule{
		Read:             formerCounts,
		PrepareForCreate: func(_ release.Gates, created *api.Frobber) { formerCounts(created) },
		PrepareForUpdate: func(_ release.Gates, updated, old *api.Frobber) {
			was := renamed(&old.Spec)
			for i, now := range renamed(&updated.Spec) {
				now.follow(was[i])
			}
		},
	})
}

// fillBoth sets the default of a field if neither of its names was sent. It does not copy one
// to the other, because an update must know what was sent.
func fillBoth(former **int32, inches *int32, value int32) {
	if inches == nil {
		fill(former, value)
	}
}

// names are an object's values under the two names of one field.
type names struct {
	former, inches **int32
	fallback       int32
}

func renamed(s *api.Spec) []names {
	return []names{{&s.Height, &s.HeightInInches, 0}, {&s.Width, &s.WidthInInches, 1}}
}

// formerCounts sets the new names from the former ones, and the former ones only if they are
// absent. That is right for creates, also from the output of a GET, and for objects that an
// older release stored.
func formerCounts(f *api.Frobber) {
	for _, n := range renamed(&f.Spec) {
		fillFrom(n.former, *n.inches)
		*n.inches = nil
		fillFrom(n.inches, *n.former)
	}
}

// follow finds out which of the names a client meant, by what it changed.
func (n names) follow(was names) {
	knowsInches := *n.inches != nil && !same(*n.inches, *was.inches)
	switch {
	case *n.former == nil && !knowsInches:
		// The client cleared the name that it knows. A client that sends only the other name,
		// unchanged, looks the same; it must send both.
		fill(n.former, n.fallback)
	case knowsInches && (*n.former == nil || same(*n.former, *was.former)):
		*n.former = nil
	}
	fillFrom(n.former, *n.inches)
	*n.inches = nil
	fillFrom(n.inches, *n.former)
}

func fillFrom(into **int32, from *int32) {
	if from != nil {
		fill(into, *from)
	}
}

func same(a, b *int32) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
