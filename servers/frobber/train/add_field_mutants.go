package train

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func addFieldMutants() mutants {
	return mutants{
		"required": widthRequired,
		"meaning":  widthOtherMeaning,
		"value":    widthByValue,
		"null":     widthAlwaysSent,
		"rewrites": widthAndTidyParam,
		"refuses":  widthAndHeightLimit,
	}
}

// RequiredField leaves out the default, and omitempty with it.
type RequiredField struct {
	Width *int32 `json:"width" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits."`
}

// The specs of 1.1+required.
type (
	RequiredV6 struct {
		V6            `json:",inline"`
		HeightField   `json:",inline"`
		RequiredField `json:",inline"`
		ParamField    `json:",inline"`
		PlainFields   `json:",inline"`
	}
	RequiredV5 struct {
		V5            `json:",inline"`
		HeightField   `json:",inline"`
		RequiredField `json:",inline"`
		ArgField      `json:",inline"`
		PlainFields   `json:",inline"`
	}
)

// widthRequired makes the width a field that must be sent. "On compatibility": a
// compatible change "does not add a new required field", for who does not know
// the field cannot send it (rule 1).
func widthRequired(r *release.Release) {
	addField(r)
	serveOld[RequiredV6, RequiredV5](r)
	rule(r, release.Rule{Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		if f.Spec.Width != nil {
			return nil
		}
		return field.ErrorList{field.Required(field.NewPath("spec", "width"), "how wide is it?")}
	}})
}

// MeaningField has another default.
type MeaningField struct {
	Width *int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 2." default:"2"`
}

// The specs of 1.1+meaning.
type (
	MeaningV6 struct {
		V6           `json:",inline"`
		HeightField  `json:",inline"`
		MeaningField `json:",inline"`
		ParamField   `json:",inline"`
		PlainFields  `json:",inline"`
	}
	MeaningV5 struct {
		V5           `json:",inline"`
		HeightField  `json:",inline"`
		MeaningField `json:",inline"`
		ArgField     `json:",inline"`
		PlainFields  `json:",inline"`
	}
)

// widthOtherMeaning has a default that suits new objects, and gives those that
// there are already another meaning: all were 1 wide. "Adding a field": "the onus
// is on you to define a sane default value" (rule 2).
func widthOtherMeaning(r *release.Release) {
	addField(r)
	serveOld[MeaningV6, MeaningV5](r)
	part(r, release.PartOf(release.Hooks[MeaningField]{Default: func(f *MeaningField) { fill(&f.Width, 2) }}))
}

// ValueField is the width as it stands in the guide's first listing: a value.
type ValueField struct {
	Width int32 `json:"width,omitempty" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
}

// The specs of 1.1+value.
type (
	ValueV6 struct {
		V6          `json:",inline"`
		HeightField `json:",inline"`
		ValueField  `json:",inline"`
		ParamField  `json:",inline"`
		PlainFields `json:",inline"`
	}
	ValueV5 struct {
		V5          `json:",inline"`
		HeightField `json:",inline"`
		ValueField  `json:",inline"`
		ArgField    `json:",inline"`
		PlainFields `json:",inline"`
	}
)

// widthByValue cannot tell a width of 0 from none, and makes it 1; its typed
// clients cannot even send it. "Edit defaults.go": "Do use pointers to scalars
// when you need to distinguish between an unset value and an automatic zero".
func widthByValue(r *release.Release) {
	addField(r)
	serveOld[ValueV6, ValueV5](r)
	part(r, release.PartOf(release.Hooks[ValueField]{Default: func(f *ValueField) {
		if f.Width == 0 {
			f.Width = 1
		}
	}}))
}

// NullField leaves out omitempty.
type NullField struct {
	Width *int32 `json:"width" protobuf:"varint,3,opt,name=width" doc:"width is how wide the object is, in cubits; default 1." default:"1"`
}

// The specs of 1.1+null.
type (
	NullV6 struct {
		V6          `json:",inline"`
		HeightField `json:",inline"`
		NullField   `json:",inline"`
		ParamField  `json:",inline"`
		PlainFields `json:",inline"`
	}
	NullV5 struct {
		V5          `json:",inline"`
		HeightField `json:",inline"`
		NullField   `json:",inline"`
		ArgField    `json:",inline"`
		PlainFields `json:",inline"`
	}
)

// widthAlwaysSent does not omit the width when it is empty: its typed clients send
// a width of null to servers that never heard of one, where a strict one refuses
// it. "Edit types.go": "Optional fields should have the ,omitempty json tag; fields
// are interpreted as being required otherwise".
func widthAlwaysSent(r *release.Release) {
	addField(r)
	serveOld[NullV6, NullV5](r)
	part(r, release.PartOf(release.Hooks[NullField]{Default: func(f *NullField) { fill(&f.Width, 1) }}))
}

// widthAndTidyParam tidies up param while it is at it. "Edit defaults.go":
// "defaulting happens whenever a serialized version is read", so objects that
// nobody writes are served with another param than clients sent, and the next
// write, of whatever, stores it. "On compatibility": a change leaves the
// "interpretation of existing API types, fields, and values" alone (rule 2).
func widthAndTidyParam(r *release.Release) {
	addField(r)
	part(r, release.PartOf(release.Hooks[ParamField]{Default: func(f *ParamField) { f.Param = strings.ToLower(f.Param) }}))
	inV5 := argHooks()
	inV5.Default = func(f *ArgField) { f.Arg = strings.ToLower(f.Arg) }
	part(r, release.PartOf(inV5))
}

// widthAndHeightLimit limits the height while it is at it, so that the area stays
// small. "Backward compatibility gotchas": "Validation rules on spec fields can
// neither be relaxed nor strengthened", for "any requests that previously worked
// must continue to work" (rule 1).
func widthAndHeightLimit(r *release.Release) {
	addField(r)
	rule(r, release.Rule{Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		if height(f) <= 100 {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec", "height"), height(f), "must be at most 100")}
	}})
}
