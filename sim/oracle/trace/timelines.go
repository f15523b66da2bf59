package trace

import (
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Timeline is all that is known of one copy.
type Timeline struct {
	Copy         plan.Copy
	Manifest     plan.Manifest
	Kind         schema.Kind // the newest published form, whose list keys name elements
	Created      int         // the first step that brought it into being; 0: none did
	Deleted      int         // the last step that took it away, unless it came back; 0: none did
	milestones   []milestone // its births and deaths, in the order of the plan
	Acts         []int       // the steps that asked something of it, in the order of the plan
	Versions     []StoredVersion
	Observations []Observation
	Asides       []Observation // of its stored versions, with no place among the steps
	AckedValues  []*AckedValue
}

// sees adds an answer to what is known of the copy.
func (tl *Timeline) sees(step int, o observed) {
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
