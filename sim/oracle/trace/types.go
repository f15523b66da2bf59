package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// NewestSeenBefore returns the newest revision that an answer showed before a step.
func (tl *Timeline) NewestSeenBefore(step int) int64 {
	var newest int64
	for _, obs := range tl.Observations {
		if obs.Step < step && obs.HasRevision() {
			newest = max(newest, obs.Revision)
		}
	}
	return newest
}

// ServerOwned returns the parts of every object that servers write: no client's value there is
// ever acknowledged.
func ServerOwned() []fieldpath.Path { return ownedPaths }

var ownedPaths = func() []fieldpath.Path {
	var all []fieldpath.Path
	for _, name := range append(schema.ServerMetadata(), "name", "namespace") {
		all = append(all, fieldpath.MakePathOrDie("metadata", name))
	}
	return append(all, fieldpath.MakePathOrDie("apiVersion"), fieldpath.MakePathOrDie("kind"))
}()

// WritesStatus reports whether a step writes only the status of an object.
func WritesStatus(step plan.Step) bool { return step.Part() == term.StatusPart }

// WritesScale reports whether a step writes only the scale of an object.
func WritesScale(step plan.Step) bool { return step.Part() == term.ScalePart }
