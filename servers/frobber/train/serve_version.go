package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// SizeSpec is the spec of v7beta1: what measures the object is in one place. It
// can express all that v6 can, and v6 all that it can.
type SizeSpec struct {
	Size     Size   `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	Param    string `json:"param" protobuf:"bytes,2,opt,name=param" doc:"param is handed to whatever frobs."`
	Replicas *int32 `json:"replicas,omitempty" protobuf:"varint,3,opt,name=replicas" doc:"replicas is how many there are; default 1." default:"1"`
	Parts    []Part `json:"parts,omitempty" protobuf:"bytes,4,rep,name=parts" patchStrategy:"merge" patchMergeKey:"name" listType:"map" listMapKey:"name" doc:"parts are what the object is made of."`
}

// OpenAPIModelName names the struct in what a server publishes.
func (SizeSpec) OpenAPIModelName() string { return "com.example.frobbing.v7beta1.FrobberSpec" }

// Size is how large an object is.
type Size struct {
	Height int32  `json:"height" protobuf:"varint,1,opt,name=height" doc:"height is how high the object is, in cubits."`
	Width  *int32 `json:"width,omitempty" protobuf:"varint,2,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
	Angle  *int32 `json:"angle,omitempty" protobuf:"varint,3,opt,name=angle" doc:"angle is how far the object is turned, in degrees. This is an alpha field and requires enabling the Frobber2D feature gate."`
}

// OpenAPIModelName names the struct in what a server publishes.
func (Size) OpenAPIModelName() string { return "com.example.frobbing.v7beta1.Size" }

// serveVersion is 1.3, the guide's "Multiple API versions": v7beta1 is served
// beside v6, of another shape and with the same meaning. It is not preferred yet,
// and not stored: the release before could not read it.
func serveVersion(r *release.Release) {
	serve(r, release.Of[SizeSpec, Status](v7beta1, release.Forms[SizeSpec]{
		Default: defaultSize, ToInternal: sizeToInternal, FromInternal: sizeFromInternal,
	}))
}

// defaultSize fills in what v6 fills in: "the default values must be semantically
// equivalent in all currently supported API versions".
func defaultSize(s *SizeSpec) {
	if s.Replicas == nil {
		s.Replicas = new(int32(1))
	}
	if s.Size.Width == nil {
		s.Size.Width = new(int32(1))
	}
}

// The internal form has what is in size beside the rest, under the same names.
func sizeToInternal(s *SizeSpec, into *api.Spec)   { object.CopyFields(&s.Size, into) }
func sizeFromInternal(from *api.Spec, s *SizeSpec) { object.CopyFields(from, &s.Size) }
