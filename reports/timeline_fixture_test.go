package reports_test

import (
	"fmt"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// rolled is a run of so many replicas through so many roll-outs, each stage with
// ten steps: every server is ready in two seconds, and serves.
func rolled(replicas int, rollouts int) reports.Run {
	r := reports.Run{}
	r.Plan.Releases = []plan.Release{{Role: term.Old, Reference: "kube-apiserver@v1.36.3"}, {Role: term.New, Reference: "kube-apiserver@v1.37.0"}}
	roles := map[string]term.Role{}
	for i := range replicas {
		r.Plan.Replicas = append(r.Plan.Replicas, string(rune('a'+i)))
	}
	for _, name := range r.Plan.Replicas {
		roles[name] = term.Old
	}
	number := 0
	stage := func(name string, rollout term.Rollout, starts ...plan.Step) {
		s := plan.Stage{Name: name, Rollout: rollout}
		for _, start := range append(starts, make([]plan.Step, 10-len(starts))...) {
			number++
			start.Number = number
			if start.Action == "" {
				start.Action, start.Verb, start.Copy, start.Via = plan.Operate, term.Put, "w", "a"
			} else {
				roles[start.Replica] = start.Role
				r.Servers = append(r.Servers, event(start, history.Ready, 2), event(start, history.Serving, 0))
			}
			s.Steps = append(s.Steps, start)
		}
		for _, name := range r.Plan.Replicas {
			s.Replicas = append(s.Replicas, plan.ReplicaStage{Replica: name, Role: roles[name]})
		}
		r.Plan.Stages = append(r.Plan.Stages, s)
	}
	var first []plan.Step
	for _, name := range r.Plan.Replicas {
		first = append(first, plan.Step{Action: plan.Start, Replica: name, Role: term.Old})
	}
	stage("old", "", first...)
	for i := range rollouts {
		to, rollout := term.New, term.Upgrade
		if i%2 == 1 {
			to, rollout = term.Old, term.Rollback
		}
		r.Plan.Journey = append(r.Plan.Journey, rollout)
		for n, name := range r.Plan.Replicas {
			stage(fmt.Sprintf("%s %d/%d of %d", rollout, n+1, replicas, i+1), rollout, plan.Step{Action: plan.Replace, Replica: name, Role: to})
		}
	}
	r.Result.Journey = r.Plan.Journey
	r.Ledger.Copies = []result.CopyLedger{{Copy: "w", Rows: []result.Row{{Step: number}}}}
	return r
}

// event is one of the server that a step starts.
func event(s plan.Step, what history.ServerEvent, seconds float64) history.Server {
	return history.Server{Step: s.Number, Replica: s.Replica, Role: s.Role, Event: what, Seconds: seconds}
}

// found is a finding of the copy at a step.
func found(r reports.Run, step int, state term.Outcome, expected bool) result.Finding {
	f := result.Finding{Check: term.CheckNothingLost, Class: term.Impact, Rule: term.Rule6, Copy: "w", Path: ".spec.width", Outcome: state, Step: step, Expected: expected,
		Message: fmt.Sprintf("w: .spec.width %s in step %d; nobody knows why", state, step)}
	if expected {
		f.Expectation = 1
	}
	for _, stage := range r.Plan.Stages {
		if step >= stage.Steps[0].Number {
			f.Stage = stage.Name
		}
	}
	return f
}
