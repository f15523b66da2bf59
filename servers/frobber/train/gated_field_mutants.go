package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func gatedFieldMutants() mutants {
	return mutants{"clears": angleCleared, "hides": angleHidden, "tag": angleTakesTag}
}

// angleHidden shows no angle where the gate is off, though one is stored. Who switches
// the feature off finds no angle anywhere, and all of them again where it is on: what a
// user has asked for since is turned as nobody asks any more. "New field in existing API
// version" has a disabled field cleared from what is written, and "existing data is
// preserved": it says nothing of hiding it.
func angleHidden(r *release.Release) {
	gatedField(r)
	r.Rules[len(r.Rules)-1].Hide = func(on release.Gates, f *api.Frobber) {
		if !on(Frobber2D) {
			f.Spec.Angle = nil
		}
	}
}

// angleCleared clears the angle on update as it does on create, though the stored
// object has one. "New field in existing API version" clears it on update only
// "if the existing object does not already have a value in the field": else a
// server whose gate is off drops what one whose gate is on has stored.
func angleCleared(r *release.Release) {
	gatedField(r)
	added := &r.Rules[len(r.Rules)-1]
	added.PrepareForUpdate = func(on release.Gates, updated, _ *api.Frobber) { createAngle(on, updated) }
}

// TagFields are in the order of the alphabet, and their tags too.
type TagFields struct {
	Angle *int32 `json:"angle,omitempty" protobuf:"varint,3,opt,name=angle" doc:"angle is how far the object is turned, in degrees." lifecycle:"alpha,1.2,Frobber2D"`
	Width *int32 `json:"width,omitempty" protobuf:"varint,6,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
}

// TagV6 is a v6 that reads and writes no bytes of the v6 before.
type TagV6 struct {
	V6          `json:",inline"`
	HeightField `json:",inline"`
	TagFields   `json:",inline"`
	ParamField  `json:",inline"`
	PlainFields `json:",inline"`
}

// angleTakesTag numbers protobuf tags anew: 3 was the width's. Both are varints,
// so each release takes the other's value for its own field, without an error.
// "New field in existing API version" leaves a tombstone even where a field goes,
// "ensuring the field name and protobuf tag are not reused".
func angleTakesTag(r *release.Release) {
	gatedField(r)
	serve(r, release.Of[TagV6, Status](v6))
	part(r, release.PartOf(release.Hooks[TagFields]{Default: func(f *TagFields) { fill(&f.Width, 1) }}))
}
