package trace

import (
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Timeline is everything known of one copy.
type Timeline struct {
	Copy         plan.Copy
	Manifest     plan.Manifest
	Kind         schema.Kind // in the newest published version, whose list keys name elements
	Created      int         // the first step that created it, 0 if none did
	Deleted      int         // the last step that deleted it, unless it was created again; 0 if none did
	milestones   []milestone // creations and deletions, in the order of the plan
	Acts         []int       // the steps that called it, in the order of the plan
	Versions     []StoredVersion
	Observations []Observation
	Asides       []Observation // observations of its stored versions that have no place among the steps
	AckedValues  []*AckedValue
}

// observe adds an answer to the timeline.
func (tl *Timeline) observe(step int, o observed) {
	for i := len(tl.Observations) - 1; i >= max(0, len(tl.Observations)-RecentObservations); i-- {
		if same := tl.Observations[i].observed; *same == o {
			tl.Observations = append(tl.Observations, Observation{same, step})
			return
		}
	}
	fresh := new(observed)
	*fresh = o
	tl.Observations = append(tl.Observations, Observation{fresh, step})
}
