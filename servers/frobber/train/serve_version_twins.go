package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func serveVersionTwins() twins {
	return twins{"forgets": versionForgets, "stored": versionStored}
}

// ForgetsSpec is the spec of a v7beta1 that was designed before there was a width.
type ForgetsSpec struct {
	Size     ForgetsSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	Param    string      `json:"param" protobuf:"bytes,2,opt,name=param" doc:"param is handed to whatever frobs."`
	Replicas *int32      `json:"replicas,omitempty" protobuf:"varint,3,opt,name=replicas" doc:"replicas is how many there are; default 1." default:"1"`
	Parts    []Part      `json:"parts,omitempty" protobuf:"bytes,4,rep,name=parts" patchStrategy:"merge" patchMergeKey:"name" listType:"map" listMapKey:"name" doc:"parts are what the object is made of."`
}

// OpenAPIModelName names the struct in what a server publishes.
func (ForgetsSpec) OpenAPIModelName() string { return SizeSpec{}.OpenAPIModelName() }

// ForgetsSize is how large an object is, but for its width.
type ForgetsSize struct {
	Height int32  `json:"height" protobuf:"varint,1,opt,name=height" doc:"height is how high the object is, in cubits."`
	Angle  *int32 `json:"angle,omitempty" protobuf:"varint,3,opt,name=angle" doc:"angle is how far the object is turned, in degrees. This is an alpha field and requires enabling the Frobber2D feature gate."`
}

// OpenAPIModelName names the struct in what a server publishes.
func (ForgetsSize) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// versionForgets has no width in v7beta1, so whatever is written through it loses
// its width, also what v6 wrote. "Multiple API versions": "you can not extend one
// versioned API without also extending the others" (rule 4).
func versionForgets(r *release.Release) {
	serve(r, release.Of[ForgetsSpec, Status](v7beta1, release.Forms[ForgetsSpec]{
		Default: func(s *ForgetsSpec) {
			if s.Replicas == nil {
				s.Replicas = new(int32(1))
			}
		},
		ToInternal:   func(s *ForgetsSpec, into *api.Spec) { object.CopyFields(&s.Size, into) },
		FromInternal: func(from *api.Spec, s *ForgetsSpec) { object.CopyFields(from, &s.Size) },
	}))
}

// versionStored stores v7beta1 in the release that introduces it. "Backward
// compatibility gotchas": "do not make it the storage version", "so that a
// rollback of the apiserver doesn't render resources in etcd undecodable".
func versionStored(r *release.Release) {
	serveVersion(r)
	r.Storage = v7beta1
}
