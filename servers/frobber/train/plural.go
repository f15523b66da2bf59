package train

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// ParamsField is the plural of param, which it includes.
type ParamsField struct {
	Params []string `json:"params,omitempty" protobuf:"bytes,7,rep,name=params" listType:"atomic" doc:"params are all of the params. The first is param, which is set together with them; where they are left out they are param alone."`
}

// The specs of 1.6.
type (
	PluralV6 struct {
		AngleV6     `json:",inline"`
		ParamsField `json:",inline"`
	}
	PluralV5 struct {
		AngleV5     `json:",inline"`
		ParamsField `json:",inline"`
	}
	PluralV7beta1 struct {
		SizeV7beta1 `json:",inline"`
		ParamsField `json:",inline"`
	}
)

// plural is 1.6, the guide's "Making a singular field plural": params beside param,
// in every version, and kept in step with it. Who knows param alone may go on as
// ever; who knows params sets both.
func plural(r *release.Release) {
	serveAll[PluralV6, PluralV5, PluralV7beta1](r)
	rule(r, release.Rule{
		Read:             onlyParam,
		PrepareForCreate: func(_ release.Gates, created *api.Frobber) { onlyParam(created) },
		PrepareForUpdate: func(_ release.Gates, updated, old *api.Frobber) { updateParams(updated, old) },
		Validate:         validateParams,
	})
}

// onlyParam is what an older release has stored, or a client of one has sent.
func onlyParam(f *api.Frobber) {
	if f.Spec.Param != "" && len(f.Spec.Params) == 0 {
		f.Spec.Params = []string{f.Spec.Param}
	}
}

// updateParams makes out what a client meant that may not know of params. What it
// cannot have meant is left for validation.
func updateParams(updated, old *api.Frobber) {
	now, was := &updated.Spec, old.Spec
	switch {
	case now.Param != was.Param && slices.Equal(now.Params, was.Params):
		// It changed, or cleared, the field that it knows.
		now.Params = nil
	case now.Param == was.Param && len(now.Params) == 0:
		// It could not send what it does not know.
		now.Params = slices.Clone(was.Params)
	}
	// Also of a client that changed param, and could not send params.
	onlyParam(updated)
}

// validateParams also refuses params alone: in an update nobody could tell a client
// that sets them from an old one which clears param.
func validateParams(_ release.Gates, f *api.Frobber) (all field.ErrorList) {
	spec := field.NewPath("spec")
	switch {
	case len(f.Spec.Params) == 0:
	case f.Spec.Param == "":
		all = append(all, field.Required(spec.Child("param"), "it is set together with params"))
	case f.Spec.Param != f.Spec.Params[0]:
		all = append(all, field.Invalid(spec.Child("params").Index(0), f.Spec.Params[0], "must be the same as param"))
	}
	return all
}

// ExtraField is the plural as the guide had it at first.
type ExtraField struct {
	ExtraParams []string `json:"extraParams,omitempty" protobuf:"bytes,20,rep,name=extraParams" listType:"atomic" doc:"extraParams are the params besides param."`
}

// The specs of 1.6+extra.
type (
	ExtraV6 struct {
		AngleV6    `json:",inline"`
		ExtraField `json:",inline"`
	}
	ExtraV5 struct {
		AngleV5    `json:",inline"`
		ExtraField `json:",inline"`
	}
	ExtraV7beta1 struct {
		SizeV7beta1 `json:",inline"`
		ExtraField  `json:",inline"`
	}
)

// pluralByExtra is the early guide's way, right as well: what comes to param goes
// beside it. No two fields say the same, so nothing is to be kept in step, and
// nothing is refused. The price is an API that has a list in two places, and a list
// that is lost whenever a client that does not know it sends the whole object.
func pluralByExtra(r *release.Release) {
	serveAll[ExtraV6, ExtraV5, ExtraV7beta1](r)
	part(r, release.PartOf(release.Hooks[ExtraField]{ToInternal: extraToInternal, FromInternal: extraFromInternal}))
}

// extraToInternal has one list of both, as the internal form may: "Params []string".
func extraToInternal(f *ExtraField, into *api.Spec) {
	if len(f.ExtraParams) > 0 {
		into.Params = append([]string{into.Param}, f.ExtraParams...)
	}
}

func extraFromInternal(from *api.Spec, f *ExtraField) {
	if len(from.Params) > 1 {
		f.ExtraParams = slices.Clone(from.Params[1:])
	}
}
