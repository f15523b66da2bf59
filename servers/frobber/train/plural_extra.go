package train

import (
	"slices"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// ExtraField is the plural as the guide had it at first.
type ExtraField struct {
	ExtraParams []string `json:"extraParams,omitempty" protobuf:"bytes,20,rep,name=extraParams" listType:"atomic" doc:"extraParams are the params besides param."`
}

// ExtraRest is what else an object has.
type ExtraRest struct {
	PlainFields `json:",inline"`
	ExtraField  `json:",inline"`
}

// ExtraV6 is still v6.
type ExtraV6 struct {
	V6         `json:",inline"`
	AngleSize  `json:",inline"`
	ParamField `json:",inline"`
	ExtraRest  `json:",inline"`
}

// ExtraV5 is still v5.
type ExtraV5 struct {
	V5        `json:",inline"`
	AngleSize `json:",inline"`
	ArgField  `json:",inline"`
	ExtraRest `json:",inline"`
}

// ExtraV7beta1 is still v7beta1.
type ExtraV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PluralSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	ExtraRest  `json:",inline"`
}

// pluralByExtra is the early guide's way, right as well: what comes to param goes
// beside it. No two fields say the same, so nothing is to be kept in step, and
// nothing is refused. The price is an API that has a list in two places, and a list
// that is lost whenever a client that does not know it sends the whole object.
func pluralByExtra(r *release.Release) {
	serve(r, release.Of[ExtraV6, Status](v6))
	serve(r, release.Of[ExtraV5, Status](v5))
	serve(r, release.Of[ExtraV7beta1, Status](v7beta1))
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
