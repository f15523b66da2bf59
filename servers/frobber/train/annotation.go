package train

import (
	"maps"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// DepthAnnotation is an object's depth. The word alpha "makes it clear that they are using a
// Alpha feature" (the guide's early form).
const DepthAnnotation = "frobbing.alpha.example.com/depth"

// maxDepth is the largest depth.
const maxDepth = 1000

// annotation is 1.23: objects get a depth by an annotation, which the guide once preferred and
// then gave up. The annotation is not published, no release loses it, and no release can know
// whether it was set before it had a meaning: an object that 1.22 stored with the annotation
// has a depth as soon as 1.23 reads it. Validation cannot fix that, because any text was valid
// then. What is stored stays writable: only new values are validated, and an invalid depth
// counts as no depth.
func annotation(r *release.Release) {
	rule(r, release.Rule{Of: "depth",
		ValidateCreate: func(_ release.Gates, f *api.Frobber) field.ErrorList { return validateAnnotation(f) },
		ValidateUpdate: validateNewAnnotation,
		Observe:        observeAnnotation})
}

// annotatedDepth returns the depth in the annotation, or nil.
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

// observeAnnotation applies the depth to the status.
func observeAnnotation(f *api.Frobber) { deepen(f, annotatedDepth(f)) }

func deepen(f *api.Frobber, depth *int32) {
	if depth != nil {
		f.Status.Area *= int64(*depth)
	}
}

// annotate sets the annotation in a copy of the map, which others may use.
func annotate(f *api.Frobber, depth int32) {
	all := maps.Clone(f.Annotations)
	if all == nil {
		all = map[string]string{}
	}
	all[DepthAnnotation] = strconv.Itoa(int(depth))
	f.Annotations = all
}
