package try

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/sim/client"
)

// tryStored tries the rules that need a stored object, one object after the other: an object of
// some kinds changes how a server treats all others while it is stored.
func (r *play) tryStored(ctx context.Context, targets []RuleTarget, results []Result) error {
	for i, t := range targets {
		switch {
		case results[i].Reason != "" || t.Subresource == "" && !t.ofChanges() && !t.Parts:
			continue
		case IsTimeUp(ctx):
		case t.Parts:
			tryParts(ctx, r, t, &results[i])
		default:
			r.tryOneStored(ctx, t, targets, &results[i])
		}
		results[i].cut(ctx)
		if err := r.ended(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stored is an object of a target on one server.
type stored struct {
	path   string
	object map[string]any
}

// enough is how many changes that the releases answer differently show what a rule does.
const enough = 4

func (r *play) tryOneStored(ctx context.Context, t RuleTarget, all []RuleTarget, result *Result) {
	on, why := r.storeBoth(ctx, t)
	defer r.removeBoth(context.WithoutCancel(ctx), on)
	for i, role := range []string{"old", "new"} {
		if why[i] != "" {
			result.Reason = fmt.Sprintf("the %s release %s", role, why[i])
			return
		}
	}
	for _, c := range t.storedChanges(all) {
		var answers [2]Answer
		var bodies [2]map[string]any
		edited, ok := c.apply(t.Object)
		one, fitsOld := c.apply(on[0].object)
		other, fitsNew := c.apply(on[1].object)
		if ok && fitsOld && fitsNew {
			sent := [2]map[string]any{one, other}
			both(func(i int) {
				answers[i], bodies[i] = r.send(ctx, i, http.MethodPut, below(on[i].path, t.Subresource), sent[i], true)
			})
			before := len(result.Trials)
			r.compare(t, c, t.Object, edited, answers, bodies, result)
			for j := before; j < len(result.Trials); j++ {
				result.Trials[j].Update = t.ofChanges()
			}
		}
		if len(result.Trials) >= enough {
			break
		}
	}
	switch {
	case result.Sent == 0:
		result.Reason = "no change is known that the rule may refuse"
	case t.ofChanges() && len(result.Trials) == 0 && result.BothRefuse == 0:
		result.Reason = "both releases accept every change that was tried"
	}
}

// storedChanges returns the edits of a stored object that a rule may tell apart.
func (t RuleTarget) storedChanges(others []RuleTarget) []change {
	var all []change
	if t.Subresource != "" {
		all = slices.Concat(append(t.compared(), t.changes(), t.byUnion(others))...)
	}
	if !t.ofChanges() {
		return all
	}
	if at, base, has := t.holds(); has {
		for _, v := range moves(base) {
			all = append(all, change{at: at, value: v})
		}
		all = append(all, change{at: at, removed: true})
	}
	return distinct(append(all, t.named()...))
}

// storeBoth stores a target's object on both servers, or says why it could not.
func (r *play) storeBoth(ctx context.Context, t RuleTarget) (on [2]stored, why [2]string) {
	both(func(i int) { on[i], why[i] = r.store(ctx, i, t) })
	return on, why
}

// removeBoth removes what is stored.
func (r *play) removeBoth(ctx context.Context, on [2]stored) {
	both(func(i int) {
		if on[i].path != "" {
			r.remove(ctx, i, on[i])
		}
	})
}

// store stores a target's object on one server, with its subresource, and returns it as the
// server shows it, or why it could not.
func (r *play) store(ctx context.Context, server int, t RuleTarget) (stored, string) {
	answer, object := r.create(ctx, server, t, t.Object, false)
	if !answer.Accepted {
		return stored{}, fmt.Sprintf("does not store the object without a change: %d %s", answer.Code, answer.Message)
	}
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	s := stored{r.place(server, t).Object(name), object}
	if t.Subresource != "" {
		written := runtime.DeepCopyJSON(t.Object)
		written["metadata"] = object["metadata"]
		if answer, s.object = r.send(ctx, server, http.MethodPut, below(s.path, t.Subresource), written, false); !answer.Accepted {
			return s, fmt.Sprintf("does not store %s without a change: %d %s", t.Subresource, answer.Code, answer.Message)
		}
	}
	if at, _, held := t.holds(); held && !(change{at: at, value: true}).isKept(s.object) {
		return s, "drops the field"
	}
	return s, ""
}

// renamed returns the object under another name.
func renamed(object map[string]any) map[string]any {
	other := runtime.DeepCopyJSON(object)
	metadata, _ := other["metadata"].(map[string]any)
	if name, is := metadata["name"].(string); is {
		metadata["name"] = name + "-2"
	}
	return other
}

func below(object, subresource string) string {
	if subresource == "" {
		return object
	}
	return object + "/" + subresource
}

// remove removes a stored object at once, without its finalizers.
func (r *play) remove(ctx context.Context, server int, s stored) {
	conn := r.servers[server]
	body := []byte(`{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"propagationPolicy":"Background"}`)
	conn.Do(ctx, client.Request{Method: http.MethodDelete, Path: s.path, ContentType: client.JSONContent, Body: body, UserAgent: userAgent})
	if metadata, _ := s.object["metadata"].(map[string]any); metadata["finalizers"] != nil {
		conn.Do(ctx, client.Request{Method: http.MethodPatch, Path: s.path, ContentType: "application/merge-patch+json", Body: []byte(`{"metadata":{"finalizers":null}}`), UserAgent: userAgent})
	}
}
