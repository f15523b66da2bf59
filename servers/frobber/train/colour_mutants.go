package train

import "github.com/skewsim/skewsim/servers/frobber/release"

func colourMutants() mutants {
	return mutants{"new-only": colourInNewVersion, "another": colourOfVersion, "unstable": coatAfterCoat, "clears": alphaAngleCleared}
}

// NilColourField is the colour without a default.
type NilColourField struct {
	Colour *string `json:"colour,omitempty" protobuf:"bytes,14,opt,name=colour" doc:"colour is what the object is painted with."`
}

// The specs of 1.17+new-only.
type (
	NilColourV6 struct {
		InchesV6       `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
		NilColourField `json:",inline"`
	}
	NilColourV5 struct {
		InchesV5       `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
		NilColourField `json:",inline"`
	}
)

// colourInNewVersion has the default only in v7beta1, so that an object sent in v6 has no
// colour, and code that relies on one refuses it. "Edit defaults.go": "you must also add
// default values in all API versions, instead of leaving new fields unset (e.g. nil) in old API
// versions".
func colourInNewVersion(r *release.Release) {
	colour(r)
	serveOld[NilColourV6, NilColourV5](r)
}

// BlackField is the colour with another default.
type BlackField struct {
	Colour *string `json:"colour,omitempty" protobuf:"bytes,14,opt,name=colour" default:"\"black\"" doc:"colour is what the object is painted with; default black."`
}

// The specs of 1.17+another.
type (
	BlackV6 struct {
		InchesV6       `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
		BlackField     `json:",inline"`
	}
	BlackV5 struct {
		InchesV5       `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
		BlackField     `json:",inline"`
	}
)

// colourOfVersion has another default in the old versions. An object is stored as plain,
// because the store uses v7beta1, and an old client that sends it back makes it black.
// "Backward compatibility gotchas": "the default values must be semantically equivalent in all
// currently supported API versions".
func colourOfVersion(r *release.Release) {
	colour(r)
	serveOld[BlackV6, BlackV5](r)
	part(r, release.PartOf(release.Hooks[BlackField]{Default: func(f *BlackField) { fillColour(&f.Colour, "black") }}))
}

// coatAfterCoat adds a part to a coloured object without checking whether it exists: each read
// adds one more, until two parts have the same name. "Edit defaults.go": "defaulting happens
// whenever a serialized version is read", so that defaults are applied to objects that have
// them.
func coatAfterCoat(r *release.Release) {
	colour(r)
	part(r, release.PartOf(release.Hooks[ColourRest]{Default: func(f *ColourRest) {
		if f.Colour != nil && *f.Colour != plain {
			f.Parts = append(f.Parts, Part{Name: "coat"})
		}
	}}))
}
