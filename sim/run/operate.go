package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// act is one operation while it goes on.
type act struct {
	w        *walker
	step     plan.Step
	copy     plan.Copy
	manifest plan.Manifest
	via      *replica
	resource client.Resource
	served   history.Resource // through via, in the version that the step goes through
	knows    term.Role        // the release that says so: via's own, unless it no longer does
	client   client.Client
	turn     int  // of a read and its write, after conflicts
	sent     call // the write itself, once it was sent
}

// performer plays one verb and returns the answer to its write.
type performer func(context.Context, *act) (client.Answer, error)

// performers is the one table from verb to what performs it.
func performers() map[term.Verb]performer {
	return map[term.Verb]performer{
		term.Create:           create,
		term.Put:              put,
		term.UnchangedPut:     put,
		term.JSONPatch:        patch,
		term.MergePatch:       patch,
		term.StrategicPatch:   patch,
		term.MergeDiff:        difference,
		term.StrategicDiff:    difference,
		term.Apply:            apply,
		term.ExtractApply:     extractApply,
		term.ClientSideApply:  clientSideApply,
		term.StatusPut:        put,
		term.StatusPatch:      patch,
		term.ScalePut:         put,
		term.ScalePatch:       patch,
		term.Post:             post,
		term.Get:              read,
		term.ListAll:          list,
		term.Delete:           remove,
		term.DeleteCollection: removeCollection,
		term.Evict:            evict,
	}
}

// notPlayed tells that a step cannot be played, and why. It is recorded, told
// and counted, and the run goes on.
type notPlayed struct{ reason string }

func (e *notPlayed) Error() string { return e.reason }

func skip(format string, args ...any) error { return &notPlayed{fmt.Sprintf(format, args...)} }

// skipped is why a step was not played, if that is what the error says: a
// client that cannot make a request is as good a reason as a server that has
// no place for it.
func (a *act) skipped(err error) (string, bool) {
	var none *notPlayed
	if errors.As(err, &none) {
		return none.reason, true
	}
	var unfit *client.UnfitError
	if errors.As(err, &unfit) {
		return fmt.Sprintf("%s cannot: %s", a.step.Client, unfit), true
	}
	return "", false
}

// operate plays one operation, then looks at its copy through every live replica.
func (w *walker) operate(ctx context.Context, s plan.Step) (string, error) {
	via, err := w.convoy.fleet.get(s.Via)
	if err != nil {
		return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	a := &act{w: w, step: s, copy: w.subject(s), via: via}
	a.manifest = w.config.Plan.Manifests[a.copy.Manifest]
	a.step = w.choose(s, a.manifest)
	answer, err := a.perform(ctx)
	if reason, skipped := a.skipped(err); skipped {
		return "skipped: " + reason, w.record(history.Record{Skip: &history.Skip{Step: s.Number, Reason: reason}})
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
	return outcome(a.w.said(a.manifest.Kind, answer)), a.look(ctx)
}

// maxTurns is how often a client reads and writes in all, when its writes meet
// conflicts: what client-go's retry.DefaultRetry allows.
const maxTurns = 5

// betweenTurns is that retry's first, and near enough its every, pause.
const betweenTurns = 10 * time.Millisecond

// perform plays the verb. A conflict alone has it read and write again, as real
// clients do; whatever else a server answers is evidence, and stands.
func (a *act) perform(ctx context.Context) (client.Answer, error) {
	if err := a.prepare(ctx); err != nil {
		return client.Answer{}, err
	}
	for ; ; a.turn++ {
		answer, err := performers()[a.step.Verb](ctx, a)
		if err != nil || !a.again(answer) || a.turn == maxTurns-1 {
			return answer, err
		}
		if err := pause(ctx, betweenTurns); err != nil {
			return answer, err
		}
	}
}

// pause waits, unless the context ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// again tells whether a client reads and writes once more. To apply's conflicts
// that would be no answer: they are with other managers, not with time.
func (a *act) again(answer client.Answer) bool {
	return a.step.Verb.Reads() && a.step.Verb != term.ExtractApply && !a.step.Birth &&
		answer.Code == http.StatusConflict && answer.Status != nil && answer.Status.Reason == "Conflict"
}

// longestPause is as long as the pause before something is asked again becomes.
const longestPause = 500 * time.Millisecond

// pauseLonger waits, and says how long to wait the next time: what is late may
// be for long, and to ask costs the server that is waited for.
func pauseLonger(ctx context.Context, d time.Duration) (time.Duration, error) {
	return min(2*d, longestPause), pause(ctx, d)
}

// subject is the copy a step is about: for a LIST, any copy of its object,
// since only the kind matters.
func (w *walker) subject(s plan.Step) plan.Copy {
	if s.Copy != "" {
		return w.copies[s.Copy]
	}
	i := slices.IndexFunc(w.config.Plan.Copies, func(c plan.Copy) bool { return c.Object == s.Object })
	if i < 0 {
		return plan.Copy{Object: s.Object}
	}
	return w.config.Plan.Copies[i]
}

// apiVersion is the version of the API that the operation goes through.
func (a *act) apiVersion() string { return cmp.Or(a.step.APIVersion, a.manifest.APIVersion) }

// version is that of a release's servers or, of older clients, their own.
func (w *walker) version(role term.Role) string {
	if role == term.Older {
		return w.config.Plan.Clients
	}
	return w.known[role].release.Version
}

func (w *walker) location(r history.Resource) client.Resource {
	at := client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}
	if r.Namespaced {
		at.Namespace = w.config.Plan.Namespace
	}
	return at
}

// object is the path of a copy's object.
func (w *walker) object(r history.Resource, name string) string {
	return w.location(r).Object(w.called(name, r.Namespaced))
}

// specimen is the copy's manifest, in the version that the operation goes
// through. A file of another version has other fields too, perhaps: nobody but
// a server could convert them.
func (a *act) specimen(c plan.Copy) map[string]any {
	object := client.Specimen(a.w.config.Plan, c, a.served.Namespaced, a.w.given(c.Name))
	object["apiVersion"] = a.apiVersion()
	return object
}

// note keeps account of what exists, and of objects that a server refuses
// although the scenario thinks that they are valid: see births.
func (a *act) note(answer client.Answer) {
	if !a.step.Birth {
		return
	}
	if answer.Succeeded() {
		a.w.created.Store(a.copy.Name, true)
		a.w.learnName(a.copy, nameIn(answer.Body))
		a.w.births.take(a.copy.Manifest)
		return
	}
	if a.step.Respond != nil || answer.Code < 400 || answer.Code >= 500 || a.copy.Role == term.Control {
		return // declared, a server in trouble, or no part of the scenario: that is for the oracle
	}
	switch answer.Code {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusTooManyRequests:
		return // that is said of no object
	}
	a.w.births.refuse(&RefusedError{
		File: a.w.config.Plan.File, Step: a.step, Version: a.w.version(a.via.role), Manifest: a.copy.Manifest,
		Code: answer.Code, Message: strings.TrimSpace(statusText(a.w.said(a.manifest.Kind, answer))),
	})
}

// look GETs the copy through every live replica that serves its resource.
func (a *act) look(ctx context.Context) error {
	if _, exists := a.w.created.Load(a.copy.Name); !exists || !a.step.Verb.Writes() {
		return nil
	}
	for _, r := range a.w.convoy.fleet.live() {
		served, ok := a.w.reached(r.role, a.manifest)
		if !ok {
			continue
		}
		_, err := a.send(ctx, call{to: r, purpose: history.Look, method: http.MethodGet, path: a.w.object(served, a.copy.Name), follows: otherThan(a.manifest, served)})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
