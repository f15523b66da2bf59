package act

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
)

// act is one operation while it is executed.
type act struct {
	sender
	manifest plan.Manifest
	via      *fleet.Replica
	resource client.Resource
	served   history.Resource // through via, in the version that the step goes through
	knows    term.Role        // the release that it comes from: via's own, unless that no longer offers it
	sent     call             // the write itself, once it was sent
	stored   int64            // the revision that its answer says it has stored; 0: none
}

func (e *notPlayed) Error() string { return e.reason }

// Operate executes one operation, then looks at its copy through every live replica.
func (ac *Actor) Operate(ctx context.Context, s plan.Step) (string, error) {
	via, err := ac.Fleet.Get(s.Via)
	if err != nil {
		return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	a := &act{sender: sender{actor: ac, step: s, copy: ac.Known.Subject(s)}, via: via}
	a.manifest = ac.Known.Plan.Manifests[a.copy.Manifest]
	a.step = ac.Known.Choose(s, a.manifest)
	answer, err := a.perform(ctx)
	if reason, skipped := a.skipped(err); skipped {
		return "skipped: " + reason, ac.Recorder.Record(history.Record{Skip: &history.Skip{Step: s.Number, Reason: reason}})
	}
	if err != nil && ctx.Err() == nil {
		return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err := errors.Join(a.probe(ctx, answer), a.createBare(ctx, answer)); err != nil {
		return "", err
	}
	a.note(answer)
	a.stored = a.storedBy(answer)
	return outcome(a.actor.said(a.manifest.Kind, answer)), a.look(ctx)
}

// storedBy returns the revision at which the write has left the copy, 0 where its answer does not say so: it
// failed, was about several, or the copy is being deleted, so that a write that removes its last finalizer is answered
// with the revision before.
func (a *act) storedBy(answer client.Answer) int64 {
	if !answer.Succeeded() || a.step.Verb.Deletes() || a.step.Verb.OfCollection() {
		return 0
	}
	var object struct {
		Metadata struct{ ResourceVersion, DeletionTimestamp string }
	}
	if json.Unmarshal(answer.Body, &object) != nil || object.Metadata.DeletionTimestamp != "" {
		return 0
	}
	return observe.Revision(object.Metadata.ResourceVersion)
}

// maxTurns is how often a client reads and writes in all, if its writes meet conflicts: as
// client-go's retry.DefaultRetry allows.
const maxTurns = 5

// perform executes the verb. It reads and writes again only after a conflict, as real
// clients do; any other answer is evidence.
func (a *act) perform(ctx context.Context) (client.Answer, error) {
	if err := a.prepare(ctx); err != nil {
		return client.Answer{}, err
	}
	for ; ; a.turn++ {
		answer, err := performers()[a.step.Verb](ctx, a)
		if err != nil || !a.again(answer) || a.turn == maxTurns-1 {
			return answer, err
		}
		if err := fleet.Pause(ctx, fleet.FirstPause); err != nil {
			return answer, err
		}
	}
}

// again reports whether a client reads and writes once more. After a conflict of an apply
// that would not help: it is a conflict with other managers.
func (a *act) again(answer client.Answer) bool {
	return a.step.Verb.Reads() && !a.step.Verb.Applies() && !a.step.Birth &&
		answer.Code == http.StatusConflict && answer.Status != nil && answer.Status.Reason == "Conflict"
}

// apiVersion returns the version of the API that the operation goes through.
func (a *act) apiVersion() string { return cmp.Or(a.step.APIVersion, a.manifest.APIVersion) }

// specimen returns the copy's manifest in the version that the operation goes through. A
// file of another version may have other fields: only a server could convert them.
func (a *act) specimen(c plan.Copy) map[string]any {
	object := client.Specimen(a.actor.Known.Plan, c, a.served.Namespaced, a.actor.Known.Given(c.Name))
	object["apiVersion"] = a.apiVersion()
	return object
}

// note records which copies exist, and which objects a server refuses although the scenario
// declares no refusal: see births.
func (a *act) note(answer client.Answer) {
	if !a.step.Birth {
		return
	}
	if answer.Succeeded() {
		a.actor.created.Store(a.copy.Name, true)
		a.actor.Known.LearnName(a.copy, fleet.NameIn(answer.Body))
		a.actor.births.take(a.copy.Manifest)
		return
	}
	if a.step.Respond != nil || answer.Code < 400 || answer.Code >= 500 || a.copy.Role == term.Control {
		return // declared, a server in trouble, or not part of the scenario: the oracle judges it
	}
	switch answer.Code {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusTooManyRequests:
		return // not about an object
	}
	a.actor.births.refuse(&RefusedError{
		File: a.actor.Known.Plan.File, Step: a.step, Version: a.actor.Known.Version(a.via.Role), Manifest: a.copy.Manifest,
		Code: answer.Code, Message: strings.TrimSpace(a.actor.said(a.manifest.Kind, answer).Text()),
	})
}
