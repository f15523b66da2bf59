package reports_test

import (
	"fmt"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// measured adds to a run what plots are drawn of: its plan's stages last four
// seconds each, from second 1 on. In each of them a server starts, an
// operation of 4 ms, and one for each further copy, writes a copy of 1 KiB
// through each replica, and a look follows.
func measured(r *reports.Run) {
	r.Plan.Copies = []plan.Copy{{Name: "scratch-treated-1", Role: term.Treated}, {Name: "scratch-control-1", Role: term.Control}}
	revision := int64(10)
	for i, stage := range r.Plan.Stages {
		began := 1 + 4*float64(i)
		step := stage.Steps[0].Number
		r.Stages = append(r.Stages, history.Stage{Index: i, Name: stage.Name, At: began})
		r.Servers = append(r.Servers, history.Server{At: began + 2.5, Step: step, Replica: "a", Role: term.New, Event: history.Ready, Seconds: 2})
		for j, c := range r.Plan.Copies {
			revision++
			at := began + 2.6 + float64(j)/10
			r.Operations = append(r.Operations, history.Operation{At: at, Step: step, Copy: c.Name, Purpose: history.Act, Replica: "a", Role: stage.Replicas[j%2].Role,
				Exchange: history.Exchange{Method: "PUT", Code: 200, Revision: revision, Seconds: 0.004 * float64(1+i+j)}})
		}
		r.Operations = append(r.Operations, history.Operation{At: began + 3.5, Step: step, Purpose: history.Look, Replica: "a", Role: term.New, Exchange: history.Exchange{Code: 200, Seconds: 0.5}})
		r.Listings = append(r.Listings, history.Listing{At: began + 3.6, Step: step, Replica: "a", Role: term.New, Exchange: history.Exchange{Code: 200, Seconds: 0.2}})
	}
	r.Result.Timing.Total = max(r.Result.Timing.Total, 1+4*float64(len(r.Plan.Stages)))
}

// journeyOf is a run of so many stages, each with a step of its own, through
// old and new servers, and nothing else in it.
func journeyOf(stages int) reports.Run {
	var r reports.Run
	for i := range stages {
		r.Plan.Stages = append(r.Plan.Stages, plan.Stage{Name: fmt.Sprintf("re-upgrading %d/%d", i+1, stages),
			Replicas: []plan.ReplicaStage{{Replica: "a", Role: term.New}, {Replica: "b", Role: term.Old}},
			Steps:    []plan.Step{{Number: i + 1, Action: plan.Operate}}})
	}
	measured(&r)
	return r
}
