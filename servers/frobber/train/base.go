package train

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// BaseSpec is the spec of v6 as the guide begins: a height and a param. Replicas
// and parts are ours: what /scale scales, and a list that strategic merge knows.
type BaseSpec struct {
	Height   int32  `json:"height" protobuf:"varint,1,opt,name=height" doc:"height is how high the object is, in cubits."`
	Param    string `json:"param" protobuf:"bytes,2,opt,name=param" doc:"param is handed to whatever frobs."`
	Replicas *int32 `json:"replicas,omitempty" protobuf:"varint,4,opt,name=replicas" doc:"replicas is how many there are; default 1." default:"1"`
	Parts    []Part `json:"parts,omitempty" protobuf:"bytes,5,rep,name=parts" patchStrategy:"merge" patchMergeKey:"name" listType:"map" listMapKey:"name" doc:"parts are what the object is made of."`
}

// OpenAPIModelName names the struct in what a server publishes; embedding
// structs have it from here.
func (BaseSpec) OpenAPIModelName() string { return "com.example.frobbing.v6.FrobberSpec" }

// Part is one element of parts.
type Part struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name" doc:"name tells parts apart."`
	Size *int32 `json:"size,omitempty" protobuf:"varint,2,opt,name=size" doc:"size is how large the part is."`
}

// Status is the status of every version.
type Status struct {
	Area       int64              `json:"area,omitempty" protobuf:"varint,1,opt,name=area" doc:"area is what the server computes from the spec."`
	Replicas   int32              `json:"replicas,omitempty" protobuf:"varint,2,opt,name=replicas" doc:"replicas is how many there are."`
	Conditions []metav1.Condition `json:"conditions,omitempty" protobuf:"bytes,3,rep,name=conditions" patchStrategy:"merge" patchMergeKey:"type" listType:"map" listMapKey:"type" doc:"conditions are what is known of the object."`
}

// base is the API before any change: the guide's API v6.
func base(r *release.Release) {
	serve(r, release.Of[BaseSpec, Status](v6, release.Forms[BaseSpec]{Default: defaultBase}))
	r.Storage = v6
	rule(r, release.Rule{Validate: validateBase, Observe: observeBase})
}

func defaultBase(s *BaseSpec) {
	if s.Replicas == nil {
		s.Replicas = new(int32(1))
	}
}

func validateBase(_ release.Gates, f *api.Frobber) (all field.ErrorList) {
	at := field.NewPath("spec")
	if height(f) < 0 {
		all = append(all, field.Invalid(at.Child("height"), height(f), "must not be negative"))
	}
	if f.Spec.Replicas != nil && *f.Spec.Replicas < 0 {
		all = append(all, field.Invalid(at.Child("replicas"), *f.Spec.Replicas, "must not be negative"))
	}
	named := map[string]bool{}
	for i, part := range f.Spec.Parts {
		name := at.Child("parts").Index(i).Child("name")
		switch {
		case part.Name == "":
			all = append(all, field.Required(name, "it tells parts apart"))
		case named[part.Name]:
			all = append(all, field.Duplicate(name, part.Name))
		}
		named[part.Name] = true
	}
	return all
}

// observeBase is what the height means.
func observeBase(f *api.Frobber) { f.Status.Area = height(f) }

func height(f *api.Frobber) int64 {
	if f.Spec.Height == nil {
		return 0
	}
	return int64(*f.Spec.Height)
}
