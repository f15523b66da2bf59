package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// Size is how large an object is, which v7beta1 has in one place.
type Size struct {
	HeightField `json:",inline"`
	WidthField  `json:",inline"`
	AngleField  `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (Size) OpenAPIModelName() string { return "com.example.frobbing.v7beta1.Size" }

// V7beta1 makes a struct a spec of v7beta1.
type V7beta1 struct{}

// OpenAPIModelName names the spec in what a server publishes.
func (V7beta1) OpenAPIModelName() string { return "com.example.frobbing.v7beta1.FrobberSpec" }

// SizeV7beta1 is the first spec of v7beta1. It can express all that v6 can, and
// v6 all that it can; and what it fills in is what v6 fills in, for "the default
// values must be semantically equivalent in all currently supported API versions".
type SizeV7beta1 struct {
	V7beta1     `json:",inline"`
	Size        Size `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField  `json:",inline"`
	PlainFields `json:",inline"`
}

// serveVersion is 1.3, the guide's "Multiple API versions": v7beta1 is served
// beside v6, of another shape and with the same meaning. It is not preferred yet,
// and not stored: the release before could not read it.
func serveVersion(r *release.Release) {
	serve(r, release.Of[SizeV7beta1, Status](v7beta1))
}
