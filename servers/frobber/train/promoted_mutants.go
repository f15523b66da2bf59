package train

import (
	"strconv"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func promotedMutants() mutants {
	return mutants{"drift": depthDrifts, "guard": depthGuardedAlone, "writes": depthWritten}
}

// depthWritten has each server write a depth of 1 into all stored objects that say none,
// when it starts, so that it need not tell none from one. The annotation stays in them
// after a rollback, though nobody has used the change. "On compatibility": "It must be
// possible to rollback to a previous version [...] existing objects that use your change
// will be impacted", and no others (rule 6).
func depthWritten(r *release.Release) {
	promoted(r)
	r.Rules[len(r.Rules)-1].Migrate = func(f *api.Frobber) bool {
		_, annotated := f.Annotations[DepthAnnotation]
		if annotated {
			return false
		}
		annotate(f, 1)
		return true
	}
}

// depthDrifts takes the annotation over into the field once, and forgets it: who
// changes the annotation later on changes nothing, and who changes the field leaves
// another value to servers of 1.23. The guide: "It may require multiple
// representations of the same information in the same API resource, which need to
// be kept in sync should either be changed".
func depthDrifts(r *release.Release) {
	promoted(r)
	kept := r.Rules[len(r.Rules)-1]
	takeOver := func(f *api.Frobber) {
		if f.Spec.Depth == nil {
			f.Spec.Depth = annotatedDepth(f)
		}
	}
	rule(r, release.Rule{Of: "depth", Read: takeOver,
		PrepareForCreate: kept.PrepareForCreate,
		PrepareForUpdate: func(_ release.Gates, updated, _ *api.Frobber) { takeOver(updated) },
		ValidateCreate:   kept.ValidateCreate, ValidateUpdate: kept.ValidateUpdate,
		Observe: func(f *api.Frobber) { deepen(f, f.Spec.Depth) }})
}

// depthGuardedAlone limits the field, and honours whatever the annotation says. The
// proposal: "code that allows annotation mutation but not field annotation can be
// exposed to malicious authors".
func depthGuardedAlone(r *release.Release) {
	promoted(r)
	kept := r.Rules[len(r.Rules)-1]
	unguarded := func(f *api.Frobber) *int32 {
		n, err := strconv.ParseInt(f.Annotations[DepthAnnotation], 10, 32)
		if err != nil || n < 0 {
			return nil
		}
		depth := int32(n)
		return &depth
	}
	kept.ValidateCreate, kept.ValidateUpdate = nil, nil
	kept.Observe = func(f *api.Frobber) { deepen(f, unguarded(f)) }
	rule(r, kept)
}
