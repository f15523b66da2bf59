package oracletest

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Recording is the history of a run. Its methods find what was recorded and change it, so that a
// test can write a defect into a run without one.
type Recording struct {
	T       testing.TB
	History *history.History
	Steps   int // the number of the last step
}

// Step adds a step to the stage that was begun last, and returns its number.
func (r *Recording) Step(step plan.Step) int {
	r.Steps++
	step.Number = r.Steps
	stages := r.History.Header.Plan.Stages
	last := &stages[len(stages)-1]
	last.Steps = append(last.Steps, step)
	return r.Steps
}

// Exchange returns the request and the answer of an operation, by its step, purpose and replica.
func (r *Recording) Exchange(step int, purpose history.Purpose, replica string) *history.Exchange {
	r.T.Helper()
	for i := range r.History.Operations {
		op := &r.History.Operations[i]
		if op.Step == step && op.Purpose == purpose && op.Replica == replica {
			return &op.Exchange
		}
	}
	r.T.Fatalf("step %d has no %s through %s", step, purpose, replica)
	return nil
}

// Fail turns an exchange into one that a server could not answer. Code 0 is no answer at all.
func Fail(x *history.Exchange, code int, message string) {
	*x = history.Exchange{Method: x.Method, Code: code, Message: message}
	if code == 0 {
		x.Message, x.Error = "", message
	}
}

// Listing returns a LIST, by its step and replica.
func (r *Recording) Listing(step int, replica string) *history.Listing {
	r.T.Helper()
	for i := range r.History.Listings {
		if l := &r.History.Listings[i]; l.Step == step && l.Replica == replica {
			return l
		}
	}
	r.T.Fatalf("step %d has no LIST through %s", step, replica)
	return nil
}

// Edited records a changed form of a body and returns its digest: the path has the value, or is
// removed where the value is nil.
func (r *Recording) Edited(digest, at string, value any) string {
	r.T.Helper()
	o := r.History.Object(digest)
	p := Path(r.T, at)
	if value == nil {
		if !path.Remove(o, p) {
			r.T.Fatalf("%s is not there", at)
		}
	} else if err := path.Set(o, p, value); err != nil {
		r.T.Fatal(err)
	}
	return r.Blob(o)
}

// SetBody makes a step one whose line gives the body.
func (r *Recording) SetBody(step int, body any) {
	change := r.PlannedStep(step).Change
	change.Kind, change.Body, change.Fields = plan.Body, body, nil
}

// Skip returns the record of a step that was skipped.
func Skip(step int, reason string) history.Skip { return history.Skip{Step: step, Reason: reason} }

// NameVersion makes a step one whose line names an API version, and returns its number.
func (r *Recording) NameVersion(step int, version string) int {
	r.PlannedStep(step).APIVersion = version
	return step
}

// EditAnswers changes what answers and LISTs show of a copy, from a step on. Role "" is either
// release.
func (r *Recording) EditAnswers(step int, name string, role term.Role, at string, value any) {
	for i := range r.History.Operations {
		op := &r.History.Operations[i]
		if op.Copy == name && op.Step >= step && op.Exchange.Answer != "" && (op.Purpose == history.Act || op.Purpose == history.Look) && (role == "" || op.Role == role) {
			op.Exchange.Answer = r.Edited(op.Exchange.Answer, at, value)
		}
	}
	for i := range r.History.Listings {
		if l := &r.History.Listings[i]; l.Step >= step && (role == "" || l.Role == role) {
			for j := range l.Items {
				if l.Items[j].Copy == name {
					l.Items[j].Answer = r.Edited(l.Items[j].Answer, at, value)
				}
			}
		}
	}
}

// CreateBy turns a create into another verb that creates the copy, answered with a code.
func (r *Recording) CreateBy(step int, verb term.Verb, code int, birth bool) {
	at := r.PlannedStep(step)
	at.Verb, at.Birth = verb, birth
	for i := range r.History.Operations {
		if op := &r.History.Operations[i]; op.Step == step && op.Purpose == history.Act {
			op.Exchange.Code = code
		}
	}
}

// EditAnswer edits the answer to a step's write, and the answers to the GETs after it.
func (r *Recording) EditAnswer(step int, edits ...Edit) {
	for i := range r.History.Operations {
		op := &r.History.Operations[i]
		if op.Step != step || op.Exchange.Answer == "" || op.Purpose == history.Read {
			continue
		}
		o := r.History.Object(op.Exchange.Answer)
		for _, e := range edits {
			e(r.T, o)
		}
		op.Exchange.Answer = r.Blob(o)
	}
}

// Operation returns the first operation of a step with a purpose.
func (r *Recording) Operation(step int, purpose history.Purpose) *history.Operation {
	r.T.Helper()
	for i := range r.History.Operations {
		if op := &r.History.Operations[i]; op.Step == step && op.Purpose == purpose {
			return op
		}
	}
	r.T.Fatalf("step %d has no %s", step, purpose)
	return nil
}

// Panic records that the server panicked at the calls of a step.
func (r *Recording) Panic(step int) {
	for i := range r.History.Operations {
		if op := &r.History.Operations[i]; op.Step == step && op.Purpose == history.Act {
			op.Exchange.Panic = &history.Panic{Value: "index out of range", Function: "x.validate", Line: "x/y.go:7"}
		}
	}
}

// RefuseField turns an answer into the 422 of a server that refuses a field, for a reason.
func (r *Recording) RefuseField(x *history.Exchange, field, reason string) {
	x.Code, x.Reason, x.Message, x.Revision = http.StatusUnprocessableEntity, "Invalid", field+": Invalid value", 0
	x.Answer = r.Blob(Object{"kind": "Status", "details": Object{"causes": []any{Object{"reason": reason, "field": field}}}})
}

// DryRun returns a dry run of a step.
func (r *Recording) DryRun(step int, name, replica string, what term.Attempt) *history.Operation {
	r.T.Helper()
	for i := range r.History.Operations {
		if op := &r.History.Operations[i]; op.Step == step && op.Copy == name && op.Replica == replica && op.Attempt == what {
			return op
		}
	}
	r.T.Fatalf("step %d has no %s of %s through %s", step, what, name, replica)
	return nil
}

// ScratchRead returns what a release did in its scratch store; of a GET it needs the name of the
// copy.
func (r *Recording) ScratchRead(kind history.TrialKind, role term.Role, name string) *history.Trial {
	r.T.Helper()
	for i := range r.History.Trials {
		if t := &r.History.Trials[i]; t.Trial == kind && t.Role == role && t.Copy == name {
			return t
		}
	}
	r.T.Fatalf("no %s of %s by %s", kind, name, role)
	return nil
}

// Blob records a body and returns its digest.
func (r *Recording) Blob(body any) string {
	raw, err := json.Marshal(body)
	if err != nil {
		r.T.Fatal(err)
	}
	digest := history.Digest(raw)
	r.History.Blobs[digest] = history.Blob{Digest: digest, JSON: raw}
	return digest
}

// PlannedStep returns a step of the plan.
func (r *Recording) PlannedStep(number int) *plan.Step {
	r.T.Helper()
	for i := range r.History.Header.Plan.Stages {
		for j := range r.History.Header.Plan.Stages[i].Steps {
			if at := &r.History.Header.Plan.Stages[i].Steps[j]; at.Number == number {
				return at
			}
		}
	}
	r.T.Fatalf("no step %d", number)
	return nil
}

// UseV1beta1 makes steps ones that go through v1beta1 of the kind.
func (r *Recording) UseV1beta1(steps ...int) {
	for _, step := range steps {
		r.PlannedStep(step).APIVersion = "example.dev/v1beta1"
	}
}
