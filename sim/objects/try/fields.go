package try

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
)

// TryFields tries fields for which no release states another rule: hand-written validation, and
// what a write of one field does to others. Each target is a field that a valid object holds.
// Servers of both releases create the object with other values, and change the field of a stored
// one, all as dry runs. The result has the values that one release accepts and the other refuses,
// and those that the old release keeps and the new one replaces.
func TryFields(ctx context.Context, old, new RuleServer, targets []RuleTarget) ([]Result, error) {
	r := &play{servers: [2]RuleServer{old, new}, creates: map[string]*pairOfAnswers{}}
	results := make([]Result, len(targets))
	targets = prepared(targets)
	r.createNeeds(ctx, targets)
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, t := range targets {
		results[i].Target = t.ID
		if results[i].Reason = r.unfit(t); results[i].Reason != "" {
			continue
		}
		group.Go(func() error {
			return fault.Guard(func() error { return r.createField(working, t, &results[i]) })
		})
	}
	if err := group.Wait(); err != nil {
		return results, err
	}
	return results, fault.Guard(func() error { return r.changeFields(ctx, targets, results) })
}

// createField creates the target's object with other values of the field.
func (r *play) createField(ctx context.Context, t RuleTarget, result *Result) error {
	if result.Reason = t.unusable(r.createBoth(ctx, t, t.Object)); result.Reason != "" {
		return nil
	}
	for _, c := range t.otherValues() {
		if edited, ok := c.apply(t.Object); ok {
			pair := r.createBoth(ctx, t, edited)
			if alone, named := c.alone(edited, pair.answers); named {
				edited, pair = alone, r.createBoth(ctx, t, alone)
			}
			r.keepsBoth(t, c, edited, pair, false, result)
		}
	}
	return r.ended(ctx)
}

// alone returns the changed object without the other fields that both releases name in their
// refusals: a field that must agree with the changed one says nothing of the value. False: they
// refuse nothing, or the value itself.
func (c change) alone(edited map[string]any, answers [2]Answer) (map[string]any, bool) {
	if !answers[0].isRefusal() || !answers[1].isRefusal() || answers[0].names(c) {
		return nil, false
	}
	smaller, some := runtime.DeepCopyJSON(edited), false
	for _, cause := range answers[0].Causes {
		at, err := path.Parse("." + cause)
		for err == nil && len(at) > 0 && at[len(at)-1].FieldName == nil {
			at = at[:len(at)-1] // all of a list
		}
		some = err == nil && len(at) > 1 && path.Remove(smaller, at) || some
	}
	return smaller, some
}

// otherValues returns values of the field that differ from the object's: those like it, those that
// the target names, and those that most servers refuse.
func (t RuleTarget) otherValues() []change {
	at, base, has := t.holds()
	if !has {
		return nil
	}
	values := append(slices.Clone(t.Values), alike(base)...)
	switch base.(type) {
	case string:
		values = append(values, "no such value")
	case int64:
		values = append(values, int64(-1))
	}
	return changesTo(at, base, values)
}

// alike returns values that are as valid as a value, as far as anybody can say.
func alike(base any) []any {
	if n, is := base.(int64); is {
		return []any{n + 1, n - 1, int64(0)}
	}
	return []any{altered(base)}
}

// changesTo returns the changes of a value to others.
func changesTo(at fieldpath.Path, base any, values []any) (all []change) {
	for _, v := range values {
		if v != nil && !isEqual(v, base) {
			all = append(all, change{at: at, value: v})
		}
	}
	return distinct(all)
}

// likelyChanges returns changes that clients make to the field of a stored object: another value
// like its own, and none. What a release refuses to create it may refuse here too:
// invalid values are tried by creates alone.
func (t RuleTarget) likelyChanges() []change {
	at, base, has := t.holds()
	if !has {
		return nil
	}
	return append(changesTo(at, base, alike(base)), change{at: at, removed: true})
}

// changeFields changes the fields of stored objects, one object after the other.
func (r *play) changeFields(ctx context.Context, targets []RuleTarget, results []Result) error {
	of := map[string][]int{}
	var objects []string
	for i, t := range targets {
		if results[i].Reason != "" {
			continue
		}
		text, err := json.Marshal(t.Object)
		if err != nil {
			return err
		}
		if of[string(text)] == nil {
			objects = append(objects, string(text))
		}
		of[string(text)] = append(of[string(text)], i)
	}
	for _, object := range objects {
		if err := r.changeFieldsOf(ctx, of[object], targets, results); err != nil {
			return err
		}
		if err := r.ended(ctx); err != nil {
			return err
		}
	}
	return nil
}

// changeFieldsOf changes the fields of one object, as dry runs.
func (r *play) changeFieldsOf(ctx context.Context, places []int, targets []RuleTarget, results []Result) error {
	on, why := r.storeBoth(ctx, targets[places[0]])
	defer r.removeBoth(context.WithoutCancel(ctx), on)
	if why[0]+why[1] != "" {
		return nil // the creates have been compared
	}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, place := range places {
		group.Go(func() error {
			return fault.Guard(func() error { r.changeField(ctx, on, targets[place], &results[place]); return nil })
		})
	}
	return group.Wait()
}

// changeField changes one field of a stored object.
func (r *play) changeField(ctx context.Context, on [2]stored, t RuleTarget, result *Result) {
	for _, c := range t.likelyChanges() {
		edited, ok := c.apply(t.Object)
		if ok && t.isNews(*result, c) {
			r.keepsBoth(t, c, edited, r.changeBoth(ctx, on, c), true, result)
		}
	}
}

// isNews reports whether the creates say nothing yet of a value. One trial of a value is enough.
func (t RuleTarget) isNews(r Result, c change) bool {
	return !slices.ContainsFunc(r.Trials, func(other Trial) bool { return other.Removed == c.removed && isEqual(other.Value, c.value) })
}

// changeBoth sends a change of a stored object to both servers: as a PUT of the whole object, and
// as a patch of the field alone. The answer to the patch counts where the PUT tells no difference.
func (r *play) changeBoth(ctx context.Context, on [2]stored, c change) *pairOfAnswers {
	pair := &pairOfAnswers{}
	if !c.removed {
		both(func(i int) {
			if sent, ok := c.apply(on[i].object); ok {
				pair.answers[i], pair.bodies[i] = r.send(ctx, i, http.MethodPut, on[i].path, sent, true)
			}
		})
		if pair.answers[0].Accepted != pair.answers[1].Accepted || c.isMade(pair.bodies[0], on[0]) != c.isMade(pair.bodies[1], on[1]) {
			return pair
		}
	}
	body, ok := c.patch()
	if !ok {
		return pair
	}
	both(func(i int) { pair.answers[i], pair.bodies[i] = r.patch(ctx, i, on[i].path, body) })
	return pair
}

// patch returns the merge patch of a field; false if it is within a list, which a patch replaces.
func (c change) patch() (map[string]any, bool) {
	var body any
	if !c.removed {
		body = c.value
	}
	for _, e := range slices.Backward(c.at) {
		if e.FieldName == nil {
			return nil, false
		}
		body = map[string]any{*e.FieldName: body}
	}
	object, is := body.(map[string]any)
	return object, is
}

// patch sends a merge patch as a dry run.
func (r *play) patch(ctx context.Context, server int, at string, patch map[string]any) (Answer, map[string]any) {
	body, err := json.Marshal(patch)
	if err != nil {
		return Answer{Message: err.Error()}, nil
	}
	return r.answerTo(ctx, server, client.Request{
		Method: http.MethodPatch, Path: at, ContentType: "application/merge-patch+json", Body: body, UserAgent: userAgent, Query: map[string]string{"dryRun": "All"},
	})
}

// isMade reports whether an answer shows a change of a stored object as it was sent.
func (c change) isMade(answer map[string]any, s stored) bool {
	is, has := path.Get(answer, c.at)
	if c.removed {
		was, _ := path.Get(s.object, c.at)
		return !has || !isEqual(is, was)
	}
	return isEqual(is, c.value) || !has && isZero(c.value)
}

// keepsBoth adds what both releases answered to one value. A change of a stored object counts if
// the old release makes it and the new one does not: to permit a change breaks no client.
func (r *play) keepsBoth(t RuleTarget, c change, edited map[string]any, pair *pairOfAnswers, update bool, result *Result) {
	old, new := pair.answers[0], pair.answers[1]
	result.Sent++
	before := stored{object: t.Object}
	switch {
	case !isDecided(pair.answers):
		result.Unanswered++
		return
	case !old.Accepted && !new.Accepted:
		result.BothRefuse++
		return
	case old.Accepted && new.Accepted:
		if !c.isMade(pair.bodies[0], before) || c.isMade(pair.bodies[1], before) {
			result.BothAccept++
			return
		}
		new.Accepted, new.Message = false, "another value"
	case update && new.Accepted:
		return
	}
	result.Trials = append(result.Trials, Trial{
		Target: t.ID, APIVersion: t.APIVersion, Kind: t.Kind, Path: t.Path, Held: t.heldIn(edited, c), Value: c.value, Removed: c.removed,
		Update: update, Object: edited, Before: t.Object, Needs: t.Needs, Origin: t.Origin, Old: old, New: new,
	})
}

// isEqual reports whether two values are the same as JSON.
func isEqual(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
