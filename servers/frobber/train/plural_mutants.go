package train

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func pluralMutants() mutants {
	return mutants{
		"replaces":  paramReplaced,
		"alone":     paramsAlone,
		"omits":     paramsOmitted,
		"unchecked": paramsUnchecked,
		"undoes":    clearingUndone,
		"new-only":  paramsInNewVersion,
		"remembers": paramsRemembered,
	}
}

// The specs of 1.6+replaces.
type (
	ReplacesV6 struct {
		V6          `json:",inline"`
		HeightField `json:",inline"`
		WidthField  `json:",inline"`
		AngleField  `json:",inline"`
		PlainFields `json:",inline"`
		ParamsField `json:",inline"`
	}
	ReplacesV5 struct {
		V5          `json:",inline"`
		HeightField `json:",inline"`
		WidthField  `json:",inline"`
		AngleField  `json:",inline"`
		PlainFields `json:",inline"`
		ParamsField `json:",inline"`
	}
	ReplacesV7beta1 struct {
		V7beta1     `json:",inline"`
		Size        Size `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		PlainFields `json:",inline"`
		ParamsField `json:",inline"`
	}
)

// paramReplaced has params instead of param: values sent and stored as param are dropped.
// "Making a singular field plural": "You can not simply remove Param string and add Params
// []string [...] that fails rules #1, #2, #3, and #6".
func paramReplaced(r *release.Release) {
	serveAll[ReplacesV6, ReplacesV5, ReplacesV7beta1](r)
}

// ofParams applies the edit of 1.6, and returns the rule that it added.
func ofParams(r *release.Release) *release.Rule {
	plural(r)
	return &r.Rules[len(r.Rules)-1]
}

// paramsAlone accepts params without param, and derives param. "Single-Dual ambiguity": "we
// require users of plural to always specify singular, too".
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

// paramsOmitted takes an update without params literally, although its client may not know
// params: all but the first are lost. "Making a singular field plural": "It's an old client
// which can't send fields it doesn't know about" (rule 5).
func paramsOmitted(r *release.Release) {
	added := ofParams(r)
	added.PrepareForUpdate = func(_ release.Gates, updated, old *api.Frobber) {
		onlyParam(updated)
		updateParams(updated, old)
	}
}

// paramsUnchecked does not compare the first of params with param, so that clients see
// different first params. "Making a singular field plural": "API logic must validate that
// plural[0] matches the singular value".
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

// clearingUndone treats a cleared param as omitted, and derives it from params again.
// "Single-Dual ambiguity": "that's not what the user wanted and more importantly is different
// than what happened before we pluralized" (rule 2).
func clearingUndone(r *release.Release) {
	added := ofParams(r)
	added.PrepareForUpdate = func(_ release.Gates, updated, old *api.Frobber) {
		if slices.Equal(updated.Spec.Params, old.Spec.Params) {
			onlyParams(updated)
		}
		updateParams(updated, old)
	}
}

// paramsInNewVersion leaves v6 and v5 unchanged. "Multiple API versions": "you can not extend
// one versioned API without also extending the others", because an object may be stored in
// "trusty old v6 form" and "it would be unacceptable to have lost all but Params[0]" (rule 4).
func paramsInNewVersion(r *release.Release) {
	plural(r)
	serveOld[AngleV6, AngleV5](r)
}

// rememberedParams is the annotation in which a mutant keeps params.
const rememberedParams = "frobbing.example.com/params"

// paramsRemembered also keeps the params of a new object in an annotation, which a server of
// 1.5 preserves. If an object has no params, and its param differs from the first in the
// annotation, it assumes that such a server has damaged the object. It does not update the
// annotation with later changes: the former param comes back, after a change with the next
// write through n-1, which drops params, and after a removal immediately. "Making a singular
// field plural": "API logic must populate plural as a one-element list, with plural[0] set to
// the singular value".
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
