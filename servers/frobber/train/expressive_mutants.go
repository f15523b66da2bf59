package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func expressiveMutants() mutants {
	return mutants{"new-only": materialsInNewVersion, "apart": materialsApart}
}

// materialsInNewVersion has materials in v7beta1 alone: in v6 an object is made of
// one thing, and is so from the next write through v6 on. "Multiple API versions":
// "a compatible change must be made to the v6 API" (rule 4).
func materialsInNewVersion(r *release.Release) {
	expressive(r)
	serveOld[MaterialV6, MaterialV5](r)
	part(r, release.PartOf(expressed[MaterialV6]()))
	part(r, release.PartOf(expressed[MaterialV5]()))
}

// expressed sets materials from the material of a version S.
func expressed[S any]() release.Hooks[S] {
	return release.Hooks[S]{ToInternal: func(_ *S, into *api.Spec) {
		f := &api.Frobber{Spec: *into}
		onlyMaterial(f)
		into.Materials = f.Spec.Materials
	}}
}

// materialsApart keeps two representations and does not link them, so that they
// come to contradict each other. "Backward compatibility gotchas": "A single
// feature/property cannot be represented using multiple spec fields simultaneously".
func materialsApart(r *release.Release) {
	expressive(r)
	added := &r.Rules[len(r.Rules)-1]
	added.PrepareForUpdate = func(_ release.Gates, updated, old *api.Frobber) {
		if len(updated.Spec.Materials) == 0 {
			updated.Spec.Materials = old.DeepCopyObject().(*api.Frobber).Spec.Materials
		}
	}
	added.Validate = nil
}
