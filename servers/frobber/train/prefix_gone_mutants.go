package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func prefixGoneMutants() mutants { return mutants{"silent": alphaSpinSilentlyDropped} }

// alphaSpinSilentlyDropped drops the field from the store, and still publishes it: strict
// validation accepts it, without a warning. In the proposal it must fail "kubectl validate -
// alpha is no longer supported".
func alphaSpinSilentlyDropped(r *release.Release) {
	prefixGone(r)
	serveAll[SpinV6, SpinV5, SpinV7beta1](r)
	gone := r.Rules[len(r.Rules)-1]
	drop := func(f *api.Frobber) { f.Spec.AlphaSpin = nil }
	gone.Read = drop
	gone.PrepareForCreate = func(_ release.Gates, created *api.Frobber) { drop(created) }
	gone.PrepareForUpdate = func(_ release.Gates, updated, _ *api.Frobber) { drop(updated) }
	rule(r, gone)
}
