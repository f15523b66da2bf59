package train

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// HeightField is the first field of the guide's listings.
type HeightField struct {
	Height int32 `json:"height" protobuf:"varint,1,opt,name=height" doc:"height is how high the object is, in cubits."`
}

// ParamField is the second field of the guide's listings.
type ParamField struct {
	Param string `json:"param" protobuf:"bytes,2,opt,name=param" doc:"param is handed to whatever frobs."`
}

// ArgField is the param under its name in v5.
type ArgField struct {
	Arg string `json:"arg" protobuf:"bytes,2,opt,name=arg" doc:"arg is handed to whatever frobs."`
}

// PlainFields are not in the guide: what /scale scales, and a list with a merge key for
// strategic merge.
type PlainFields struct {
	Replicas *int32 `json:"replicas,omitempty" protobuf:"varint,4,opt,name=replicas" doc:"replicas is how many there are; default 1." default:"1"`
	Parts    []Part `json:"parts,omitempty" protobuf:"bytes,5,rep,name=parts" patchStrategy:"merge" patchMergeKey:"name" listType:"map" listMapKey:"name" doc:"parts are what the object is made of."`
}

// Part is one element of parts.
type Part struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name" doc:"name identifies the part."`
	Size *int32 `json:"size,omitempty" protobuf:"varint,2,opt,name=size" doc:"size is how large the part is."`
}

// Status is the status of every version.
type Status struct {
	Area       int64              `json:"area,omitempty" protobuf:"varint,1,opt,name=area" doc:"area is what the server computes from the spec."`
	Replicas   int32              `json:"replicas,omitempty" protobuf:"varint,2,opt,name=replicas" doc:"replicas is how many there are."`
	Conditions []metav1.Condition `json:"conditions,omitempty" protobuf:"bytes,3,rep,name=conditions" patchStrategy:"merge" patchMergeKey:"type" listType:"map" listMapKey:"type" doc:"conditions are what is known of the object."`
}

// V6 marks a struct as a spec of v6.
type V6 struct{}

// OpenAPIModelName returns the spec's name in published schemas.
func (V6) OpenAPIModelName() string { return "com.example.frobbing.v6.FrobberSpec" }

// V5 marks a struct as a spec of v5.
type V5 struct{}

// OpenAPIModelName returns the spec's name in published schemas.
func (V5) OpenAPIModelName() string { return "com.example.frobbing.v5.FrobberSpec" }

// BaseV6 is the spec of v6 at the beginning of the guide.
type BaseV6 struct {
	V6          `json:",inline"`
	HeightField `json:",inline"`
	ParamField  `json:",inline"`
	PlainFields `json:",inline"`
}

// BaseV5 is the spec of the version before, which clients still use.
type BaseV5 struct {
	V5          `json:",inline"`
	HeightField `json:",inline"`
	ArgField    `json:",inline"`
	PlainFields `json:",inline"`
}

// base is 1.0, the API before any change. v6 is preferred and stored.
func base(r *release.Release) {
	serveOld[BaseV6, BaseV5](r)
	// A reference to a field is converted as the field is ("Edit conversion.go").
	r.Versions[1].Labels = map[string]string{"spec.arg": "spec.param"}
	r.Storage = v6
	part(r, release.PartOf(release.Hooks[PlainFields]{Default: func(f *PlainFields) { fill(&f.Replicas, 1) }}))
	part(r, release.PartOf(argHooks()))
	rule(r, release.Rule{Validate: validateBase, Observe: func(f *api.Frobber) { f.Status.Area = height(f) }})
}

func argHooks() release.Hooks[ArgField] {
	return release.Hooks[ArgField]{
		ToInternal:   func(f *ArgField, into *api.Spec) { into.Param = f.Arg },
		FromInternal: func(from *api.Spec, f *ArgField) { f.Arg = from.Param },
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
			all = append(all, field.Required(name, "it identifies the part"))
		case named[part.Name]:
			all = append(all, field.Duplicate(name, part.Name))
		}
		named[part.Name] = true
	}
	return all
}

func height(f *api.Frobber) int64 {
	if f.Spec.Height == nil {
		return 0
	}
	return int64(*f.Spec.Height)
}
