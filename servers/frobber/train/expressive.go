package train

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// MaterialShare is one of the materials of an object.
type MaterialShare struct {
	Name    string `json:"name" protobuf:"bytes,1,opt,name=name" doc:"name identifies the material."`
	Percent *int32 `json:"percent,omitempty" protobuf:"varint,2,opt,name=percent" doc:"percent is how much of the object is made of it; all of them make 100."`
}

// MaterialsField is the more expressive representation of the same thing.
type MaterialsField struct {
	Materials []MaterialShare `json:"materials,omitempty" protobuf:"bytes,13,rep,name=materials" patchStrategy:"merge" patchMergeKey:"name" listType:"map" listMapKey:"name" doc:"materials are all that the object is made of. material is the one with the largest share, the first of equals, and is set together with them; where they are left out, material is all of it."`
}

// The specs of 1.16.
type (
	ExpressiveV6 struct {
		InchesV6       `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
	}
	ExpressiveV5 struct {
		InchesV5       `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
	}
	ExpressiveV7beta1 struct {
		InchesV7beta1  `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
	}
)

// expressive is 1.16: materials, which can express more than material. "Backward compatibility
// gotchas": "clients that only understood the old representation would not be aware of the new
// representation nor its semantics". So the old field stays in all versions, continues to mean
// the main material, and cannot contradict the new field, which every version has. A client
// that changes only the old field makes it the only material, as before.
func expressive(r *release.Release) {
	serveAll[ExpressiveV6, ExpressiveV5, ExpressiveV7beta1](r)
	rule(r, release.Rule{
		Read:             onlyMaterial,
		PrepareForCreate: func(_ release.Gates, created *api.Frobber) { onlyMaterial(created) },
		PrepareForUpdate: func(_ release.Gates, updated, old *api.Frobber) { updateMaterials(updated, old) },
		Validate:         validateMaterials,
	})
}

// onlyMaterial handles what an older release has stored, or one of its clients has sent.
func onlyMaterial(f *api.Frobber) {
	if f.Spec.Material != "" && len(f.Spec.Materials) == 0 {
		f.Spec.Materials = []api.Material{{Name: f.Spec.Material, Percent: new(int32(100))}}
	}
}

// updateMaterials finds out what a client meant that may not know materials.
func updateMaterials(updated, old *api.Frobber) {
	now, was := &updated.Spec, old.DeepCopyObject().(*api.Frobber).Spec
	switch {
	case now.Material != was.Material && equality.Semantic.DeepEqual(now.Materials, was.Materials):
		// The client changed, or cleared, the field that it knows.
		now.Materials = nil
	case now.Material == was.Material && len(now.Materials) == 0:
		// The client cannot send the field that it does not know.
		now.Materials = was.Materials
	}
	onlyMaterial(updated)
}

func validateMaterials(_ release.Gates, f *api.Frobber) (all field.ErrorList) {
	if len(f.Spec.Materials) == 0 {
		return nil
	}
	at := field.NewPath("spec", "materials")
	var sum int64 // int64, so that it cannot overflow to 100
	var most int32
	var name string
	for i, m := range f.Spec.Materials {
		if m.Name == "" || m.Percent == nil || *m.Percent < 1 {
			all = append(all, field.Invalid(at.Index(i), m.Name, "must have a name and a percent of at least 1"))
			continue
		}
		sum += int64(*m.Percent)
		if *m.Percent > most {
			name, most = m.Name, *m.Percent
		}
	}
	if sum != 100 {
		all = append(all, field.Invalid(at, sum, "must make 100 percent"))
	}
	if f.Spec.Material != name {
		all = append(all, field.Invalid(field.NewPath("spec", "material"), f.Spec.Material, "must be the material with the largest share"))
	}
	return all
}
