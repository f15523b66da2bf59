package train

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func pluralTwins() twins {
	return twins{
		"replaces":  paramReplaced,
		"alone":     paramsAlone,
		"omits":     paramsOmitted,
		"unchecked": paramsUnchecked,
		"undoes":    clearingUndone,
		"new-only":  paramsInNewVersion,
		"remembers": paramsRemembered,
	}
}

// ReplacesV6 is a v6 without param.
type ReplacesV6 struct {
	V6         `json:",inline"`
	AngleSize  `json:",inline"`
	PluralRest `json:",inline"`
}

// ReplacesV5 is such a v5.
type ReplacesV5 struct {
	V5         `json:",inline"`
	AngleSize  `json:",inline"`
	PluralRest `json:",inline"`
}

// ReplacesV7beta1 is such a v7beta1.
type ReplacesV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PluralSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	PluralRest `json:",inline"`
}

// paramReplaced has params in the place of param: what was sent and stored as
// param is dropped. "Making a singular field plural": "You can not simply remove
// Param string and add Params []string [...] that fails rules #1, #2, #3, and #6".
func paramReplaced(r *release.Release) {
	serve(r, release.Of[ReplacesV6, Status](v6))
	serve(r, release.Of[ReplacesV5, Status](v5))
	serve(r, release.Of[ReplacesV7beta1, Status](v7beta1))
}

// ofParams gives a release 1.6 its edit, and the rule that the edit has added.
func ofParams(r *release.Release) *release.Rule {
	plural(r)
	return &r.Rules[len(r.Rules)-1]
}

// paramsAlone takes params without param, and derives the one from the other.
// "Single-Dual ambiguity": "we require users of plural to always specify singular,
// too".
func paramsAlone(r *release.Release) {
	added := ofParams(r)
	added.PrepareForCreate = func(_ release.Gates, created *api.Frobber) {
		onlyParam(created)
		onlyParams(created)
	}
	added.PrepareForUpdate = func(_ release.Gates, updated, old *api.Frobber) {
		updateParams(updated, old)
		onlyParams(updated)
	}
}

// onlyParams derives param from params.
func onlyParams(f *api.Frobber) {
	if f.Spec.Param == "" && len(f.Spec.Params) > 0 {
		f.Spec.Param = f.Spec.Params[0]
	}
}

// paramsOmitted takes an update without params at its word, though it comes from a
// client that has never heard of them: all but the first are lost. "Making a
// singular field plural": "It's an old client which can't send fields it doesn't
// know about" (rule 5).
func paramsOmitted(r *release.Release) {
	added := ofParams(r)
	added.PrepareForUpdate = func(_ release.Gates, updated, old *api.Frobber) {
		onlyParam(updated)
		updateParams(updated, old)
	}
}

// paramsUnchecked does not hold the first of params against param, so that each
// client has a first param of its own. "Making a singular field plural": "API
// logic must validate that plural[0] matches the singular value".
func paramsUnchecked(r *release.Release) {
	added := ofParams(r)
	check := added.Validate
	added.Validate = func(on release.Gates, f *api.Frobber) field.ErrorList {
		if f.Spec.Param != "" {
			return nil
		}
		return check(on, f)
	}
}

// clearingUndone takes a param that was cleared for one that was left out, and
// derives it from params anew. "Single-Dual ambiguity": "that's not what the user
// wanted and more importantly is different than what happened before we
// pluralized" (rule 2).
func clearingUndone(r *release.Release) {
	added := ofParams(r)
	added.PrepareForUpdate = func(_ release.Gates, updated, old *api.Frobber) {
		if slices.Equal(updated.Spec.Params, old.Spec.Params) {
			onlyParams(updated)
		}
		updateParams(updated, old)
	}
}

// paramsInNewVersion leaves v6 and v5 as they were. "Multiple API versions": "you
// can not extend one versioned API without also extending the others", for an
// object may be stored in "trusty old v6 form" and "it would be unacceptable to
// have lost all but Params[0]" (rule 4).
func paramsInNewVersion(r *release.Release) {
	plural(r)
	serve(r, release.Of[AngleV6, Status](v6))
	serve(r, release.Of[AngleV5, Status](v5))
}

// rememberedParams is where a twin remembers params.
const rememberedParams = "frobbing.example.com/params"

// paramsRemembered keeps the params of a new object among its annotations as well,
// which a server of 1.5 keeps, and takes an object without params whose param is
// another than the first of those for one that such a server has damaged. It forgets
// to keep the annotation in step with later changes: the former param comes back,
// with the next write through n-1, which drops params, where a client has changed
// it, and at once where it has cleared it. "Making a singular field plural": "API
// logic must populate plural as a one-element list, with plural[0] set to the
// singular value".
func paramsRemembered(r *release.Release) {
	added := ofParams(r)
	added.PrepareForCreate = func(_ release.Gates, created *api.Frobber) {
		onlyParam(created)
		if len(created.Spec.Params) > 1 {
			created.Annotations = maps.Clone(created.Annotations)
			if created.Annotations == nil {
				created.Annotations = map[string]string{}
			}
			created.Annotations[rememberedParams] = strings.Join(created.Spec.Params, ",")
		}
	}
	added.Read = func(f *api.Frobber) {
		remembered := strings.Split(f.Annotations[rememberedParams], ",")
		if len(f.Spec.Params) == 0 && len(remembered) > 1 && remembered[0] != f.Spec.Param {
			f.Spec.Param, f.Spec.Params = remembered[0], remembered
		}
		onlyParam(f)
	}
}
