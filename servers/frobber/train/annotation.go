package train

import (
	"maps"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// DepthAnnotation says how deep an object is. The word alpha "makes it clear that
// they are using a Alpha feature" (the guide's early form).
const DepthAnnotation = "frobbing.alpha.example.com/depth"

// maxDepth is how deep an object may be.
const maxDepth = 1000

// annotation is 1.23: objects get a depth, by an annotation, which the guide once
// preferred and then gave up. It publishes nothing, no release loses it, and none
// can tell whether it was set before it meant anything: an object that 1.22 stored
// with the annotation is deep from the day 1.23 reads it. No validation mends that,
// since any text was valid then; what is stored stays writable at least, so only
// what is set anew is validated, and what is no depth counts as none.
func annotation(r *release.Release) {
	rule(r, release.Rule{Of: "depth",
		ValidateCreate: func(_ release.Gates, f *api.Frobber) field.ErrorList { return validateAnnotation(f) },
		ValidateUpdate: validateNewAnnotation,
		Observe:        observeAnnotation})
}

// annotatedDepth is the depth that the annotation says, nil if it says none.
func annotatedDepth(f *api.Frobber) *int32 {
	n, err := strconv.ParseInt(f.Annotations[DepthAnnotation], 10, 32)
	if err != nil || n < 0 || n > maxDepth {
		return nil
	}
	depth := int32(n)
	return &depth
}

func validateAnnotation(f *api.Frobber) field.ErrorList {
	text, is := f.Annotations[DepthAnnotation]
	if !is || annotatedDepth(f) != nil {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "annotations").Key(DepthAnnotation), text, "must be a number from 0 to 1000")}
}

func validateNewAnnotation(_ release.Gates, updated, old *api.Frobber) field.ErrorList {
	if updated.Annotations[DepthAnnotation] == old.Annotations[DepthAnnotation] {
		return nil
	}
	return validateAnnotation(updated)
}

// observeAnnotation is what the depth means.
func observeAnnotation(f *api.Frobber) { deepen(f, annotatedDepth(f)) }

func deepen(f *api.Frobber, depth *int32) {
	if depth != nil {
		f.Status.Area *= int64(*depth)
	}
}

// annotate sets the annotation, of a map that others may hold.
func annotate(f *api.Frobber, depth int32) {
	all := maps.Clone(f.Annotations)
	if all == nil {
		all = map[string]string{}
	}
	all[DepthAnnotation] = strconv.Itoa(int(depth))
	f.Annotations = all
}
