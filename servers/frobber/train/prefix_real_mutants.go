package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func prefixRealMutants() mutants { return mutants{"atonce": alphaSpinAtOnceGone, "both": bothSpins} }

// bothSpins honours the alpha field as well, and first: the same value has two
// places, and who leaves the old one behind cannot change it. The proposal:
// "Internal code would simply rename the field, and ignore the external field".
func bothSpins(r *release.Release) {
	prefixReal(r)
	real := r.Rules[len(r.Rules)-1]
	real.Observe = func(f *api.Frobber) {
		if f.Spec.AlphaSpin != nil {
			spin(f, f.Spec.AlphaSpin)
			return
		}
		spin(f, f.Spec.Spin)
	}
	rule(r, real)
}

// alphaSpinAtOnceGone takes the alpha field away with the release that has the real
// one. The proposal leaves it "in the external struct for at least 1 major version
// to allow upgraders to use that field".
func alphaSpinAtOnceGone(r *release.Release) {
	prefixReal(r)
	serveAll[SpinOnlyV6, SpinOnlyV5, SpinOnlyV7beta1](r)
}
