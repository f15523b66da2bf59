package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// AttemptName is the label and the finalizer that attempts add. As dry runs they add
// nothing.
const AttemptName = "skewsim.dev/attempt"

// Attempt tries, as dry runs, whether every object can still be written and deleted,
// through every live replica. Equal copies represent each other: only the first in the
// plan's order is tried.
func (ac *Actor) Attempt(ctx context.Context, s plan.Step) (string, error) {
	if err := ac.CatchUp(ctx); err != nil {
		return "", err
	}
	groups := ac.groups()
	ac.Trying(len(groups))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fleet.Workers)
	var tried atomic.Int64
	copies := 0
	for _, of := range groups {
		copies += 1 + len(of.others)
		group.Go(func() error {
			return fault.Guard(func() error {
				n, err := ac.try(ctx, s.Number, of)
				tried.Add(int64(n))
				return errors.Join(err, ac.Tried())
			})
		})
	}
	err := group.Wait()
	return fmt.Sprintf("%d dry runs on %d of %d objects", tried.Load(), len(groups), copies), err
}

// alike are copies that differ only in their names.
type alike struct {
	first    plan.Copy
	manifest plan.Manifest
	looks    string // their manifest, and what every release shows of them
	others   []string
}

// groups returns the stored copies in groups of equal ones, in the order of the plan.
// Copies are equal if every release shows the same stored content: a server that decodes
// two values to the same object treats them the same, whatever the copies are for. Package
// recording says which content is ignored.
func (ac *Actor) groups() []*alike {
	var live []term.Role
	for _, r := range ac.Fleet.Live() {
		live = append(live, r.Role)
	}
	var all []*alike
	known := map[string]*alike{}
	for _, c := range ac.Known.Plan.Copies {
		looks, exists := ac.Recorder.Memory.Looks(c.Name, live)
		if !exists {
			continue
		}
		key := fmt.Sprintln(c.Manifest, looks)
		if known[key] != nil {
			known[key].others = append(known[key].others, c.Name)
			continue
		}
		known[key] = &alike{first: c, manifest: ac.Known.Plan.Manifests[c.Manifest], looks: key}
		all = append(all, known[key])
	}
	return all
}

// try makes every attempt on one copy through every live replica that serves it, and counts
// them.
func (ac *Actor) try(ctx context.Context, step int, of *alike) (int, error) {
	n := 0
	for _, r := range ac.Fleet.Live() {
		served, ok := ac.Known.Reached(r.Role, of.manifest)
		if !ok {
			continue
		}
		t := &trier{actor: ac, step: step, of: of, r: r, served: served, at: ac.Known.Object(served, of.first.Name)}
		t.shown = ac.Recorder.Memory.HasShown(r.Role, of.first.Name)
		for _, attempt := range term.Attempts() {
			if !t.has(attempt.Word) {
				continue
			}
			n++
			if err := t.tryOnce(ctx, attempt.Word); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// trier makes attempts on one copy through one replica.
type trier struct {
	actor  *Actor
	step   int
	of     *alike
	r      *fleet.Replica
	served history.Resource
	at     string // the object's path
	shown  bool   // the replica's release has shown the newest stored value
	// seen is the object as the replica serves it, read once: dry runs do not change it.
	seen struct {
		request client.Request
		answer  client.Answer
	}
}

// has reports whether the kind has the part that the attempt writes.
func (t *trier) has(a term.Attempt) bool {
	part := partOf(a)
	return part == "" || slices.Contains(t.served.Subresources, part)
}

// partOf returns the subresource that an attempt writes, "" for the whole object.
func partOf(a term.Attempt) string {
	if a == term.StatusAttempt || a == term.ScaleAttempt {
		return string(a) // the attempts have the names of the subresources
	}
	return ""
}

// try makes one attempt. It repeats an attempt that sends back what it read after a
// conflict, as clients do: a server may write an object by itself.
func (t *trier) try(ctx context.Context, a term.Attempt) (client.Answer, error) {
	for turn := 0; ; turn++ {
		answer, err := t.once(ctx, a, turn)
		if err != nil || answer.Code != http.StatusConflict || turn == maxTurns-1 {
			return answer, err
		}
		if err := fleet.Pause(ctx, fleet.FirstPause); err != nil {
			return answer, err
		}
	}
}

// once reads what the attempt sends back, if it does, and sends it. If the read fails, its
// answer is the outcome of the attempt.
func (t *trier) once(ctx context.Context, a term.Attempt, turn int) (client.Answer, error) {
	var was client.Answer
	if reads(a) {
		var request client.Request
		if request, was = t.read(ctx, a, turn > 0); !was.Succeeded() {
			return was, t.record(ctx, a, turn, request, was)
		}
	}
	request, err := t.write(a, was.Body)
	if err != nil {
		return was, err
	}
	answer := t.r.Conn.Do(ctx, request)
	return answer, t.record(ctx, a, turn, request, answer)
}

// read returns what the attempt sends back: the object, which is read once unless it has
// changed in between, or its scale.
func (t *trier) read(ctx context.Context, a term.Attempt, changed bool) (client.Request, client.Answer) {
	request := t.request(http.MethodGet, a)
	if a == term.ScaleAttempt {
		return request, t.r.Conn.Do(ctx, request)
	}
	if changed || t.seen.request.Method == "" {
		t.seen.request, t.seen.answer = request, t.r.Conn.Do(ctx, request)
	}
	return t.seen.request, t.seen.answer
}

// reads reports whether the attempt sends back what it read.
func reads(a term.Attempt) bool { return a != term.LabelAttempt && a != term.DeleteAttempt }

func (t *trier) request(method string, a term.Attempt) client.Request {
	r := client.Request{Method: method, Path: t.at, UserAgent: "skewsim-" + string(term.Dynamic)}
	if a == term.ScaleAttempt || a == term.StatusAttempt && method != http.MethodGet {
		r.Path += "/" + partOf(a)
	}
	return r
}

// write returns the attempt's request, given what was read.
func (t *trier) write(a term.Attempt, was []byte) (client.Request, error) {
	r, err := client.Request{}, error(nil)
	switch a {
	case term.LabelAttempt:
		r = t.request(http.MethodPatch, a)
		r.ContentType = string(types.MergePatchType)
		r.Body, err = json.Marshal(metadata("labels", map[string]any{AttemptName: "tried"}))
	case term.FinalizerAttempt:
		r = t.request(http.MethodPatch, a)
		r.ContentType = string(types.MergePatchType)
		r.Body, err = json.Marshal(metadata("finalizers", append(finalizers(was), AttemptName)))
	case term.DeleteAttempt:
		r = t.request(http.MethodDelete, a)
	default:
		r = t.request(http.MethodPut, a)
		r.ContentType, r.Body = client.JSONContent, was
	}
	r.Query = map[string]string{"dryRun": "All"}
	return r, err
}

func metadata(member string, v any) map[string]any {
	return map[string]any{"metadata": map[string]any{member: v}}
}

// finalizers returns the object's finalizers, which a merge patch replaces.
func finalizers(object []byte) []string {
	var o struct{ Metadata struct{ Finalizers []string } }
	_ = json.Unmarshal(object, &o) // an unreadable object has no finalizers to keep
	return o.Metadata.Finalizers
}

func (t *trier) record(ctx context.Context, a term.Attempt, turn int, r client.Request, answer client.Answer) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	x, err := t.actor.Recorder.Exchange(r, answer)
	err = errors.Join(err, t.actor.Recorder.Record(history.Record{Operation: t.operation(a, turn, x)}))
	if err == nil && answer.TimedOut() {
		err = fmt.Errorf("step %d: replica %s (%s) did not answer %s %s within %s; log: %s", t.step, t.r.Name,
			t.actor.Known.Version(t.r.Role), r.Method, r.Path, answer.Took.Round(time.Second), t.r.Process.LogPath())
	}
	return err
}

// operation returns the record of an attempt.
func (t *trier) operation(a term.Attempt, turn int, x history.Exchange) *history.Operation {
	return &history.Operation{
		Step: t.step, Copy: t.of.first.Name, Purpose: history.Try, Attempt: a, Turn: turn, For: t.of.others,
		Replica: t.r.Name, Role: t.r.Role, Client: term.Dynamic, Follows: fleet.OtherThan(t.of.manifest, t.served), Exchange: x,
	}
}
