package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// journal is what a run waited for, record by record.
type journal struct {
	plan  *plan.Plan
	spans []span
	end   float64 // seconds, of the last record
	blobs map[string]json.RawMessage
}

// span is the time from the record before up to a record of a step: records are
// written as soon as there is something to record, so that is what the run
// waited for.
type span struct {
	record  history.Record
	step    plan.Step
	seconds float64
}

func readJournal(b *testing.B, dir string, p *plan.Plan) journal {
	b.Helper()
	recorded, err := linesOf(dir)
	if err != nil {
		b.Fatal(err)
	}
	j := journal{plan: p, blobs: map[string]json.RawMessage{}}
	in, last := json.NewDecoder(bytes.NewReader(recorded)), 0.0
	for in.More() {
		var r history.Record
		if err := in.Decode(&r); err != nil {
			b.Fatal(err)
		}
		j.end = r.At
		if r.Blob != nil {
			j.blobs[r.Blob.Digest] = r.Blob.JSON
		}
		if number := waitedFor(r); number > 0 {
			j.spans = append(j.spans, span{r, step(p, number), r.At - last})
			last = r.At
		}
	}
	return j
}

// waitedFor is the step that a record ends a wait of; 0 for one that is written
// beside the steps.
func waitedFor(r history.Record) int {
	switch {
	case r.Operation != nil:
		return r.Operation.Step
	case r.Listing != nil:
		return r.Listing.Step
	case r.Trial != nil:
		return r.Trial.Step
	case r.Server != nil && r.Server.Event == history.Serving:
		return r.Server.Step
	case r.Watch != nil && r.Watch.Event == history.WatchOpened:
		return r.Watch.Step
	}
	return 0
}

func step(p *plan.Plan, number int) plan.Step {
	for _, stage := range p.Stages {
		if n := number - stage.Steps[0].Number; n >= 0 && n < len(stage.Steps) {
			return stage.Steps[n]
		}
	}
	return plan.Step{}
}

// where sums up what the run waited for. What follows the last record that
// tells is the servers' end.
func (j journal) where() map[string]float64 {
	parts := map[string]float64{"stops": j.end}
	for _, s := range j.spans {
		parts[s.part()] += s.seconds
		parts["stops"] -= s.seconds
	}
	return parts
}

func (s span) part() string {
	switch s.step.Action {
	case plan.Start, plan.Replace:
		return "starts"
	case plan.Trial:
		return "trials"
	case plan.Observe, plan.Attempt, plan.Watch:
		return "edges"
	}
	if s.record.Operation.Purpose == history.Look {
		return "looks"
	}
	return "operations"
}
