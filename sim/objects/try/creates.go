package try

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/schema"
)

// TryRules sends changes of valid objects to servers of both releases, and returns one result
// for each target: the changes that one release accepts and the other refuses. Creates are dry
// runs. For rules of changes, and of subresources, the object is stored for a moment, one after
// the other, in the servers' own stores. After [try.ErrTimeUp] it returns what was answered until then; that is
// the reason of targets about which nothing was.
func TryRules(ctx context.Context, old, new RuleServer, targets []RuleTarget) ([]Result, error) {
	r := &play{servers: [2]RuleServer{old, new}, creates: map[string]*pairOfAnswers{}}
	results := make([]Result, len(targets))
	targets = prepared(targets)
	r.createNeeds(ctx, targets)
	if err := fitAll(ctx, r, targets); err != nil {
		return results, err
	}
	group, ctxGroup := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, t := range targets {
		results[i].Target = t.ID
		if results[i].Reason = r.unfit(t); results[i].Reason != "" || t.Subresource != "" || t.Parts {
			continue
		}
		group.Go(func() error {
			return fault.Guard(func() error { return r.tryCreates(ctxGroup, t, targets, &results[i]) })
		})
	}
	if err := group.Wait(); err != nil {
		return results, err
	}
	return results, fault.Guard(func() error { return r.tryStored(ctx, targets, results) })
}

// play is one round of rules on two servers.
type play struct {
	servers [2]RuleServer // old, new

	mu      sync.Mutex
	creates map[string]*pairOfAnswers // by kind and object
}

type pairOfAnswers struct {
	once    sync.Once
	answers [2]Answer
	bodies  [2]map[string]any
}

// both asks both servers at the same time. A panic is one of the caller.
func both(ask func(server int)) {
	var group errgroup.Group
	for i := range 2 {
		group.Go(func() error { return fault.Guard(func() error { ask(i); return nil }) })
	}
	if err := group.Wait(); err != nil {
		panic(err)
	}
}

// ended returns an error if the work cannot go on: its context or a server has ended. That the time for it is over
// is no error.
func (r *play) ended(ctx context.Context) error {
	err := ctx.Err()
	if IsTimeUp(ctx) {
		err = nil
	}
	return errors.Join(err, r.servers[0].Err(), r.servers[1].Err())
}

// cut gives a target its reason if the time was over before the releases answered a change differently. What was
// answered last may be no answer, so that nothing follows from it.
func (r *Result) cut(ctx context.Context) {
	if IsTimeUp(ctx) && len(r.Trials) == 0 {
		*r = Result{Target: r.Target, Reason: ErrTimeUp.Error()}
	}
}

// unfit returns why a target cannot be tried; "": it can.
func (r *play) unfit(t RuleTarget) string {
	if t.Object == nil {
		if t.Reason != "" {
			return t.Reason
		}
		return "no object holds the field"
	}
	for i, role := range []string{"old", "new"} {
		if _, served := r.servers[i].resource(t.APIVersion, t.Kind); !served {
			return fmt.Sprintf("the %s release does not serve %s of %s", role, t.Kind, t.APIVersion)
		}
	}
	return ""
}

// createNeeds creates the objects that targets need, once on each server. An object that is there
// already is as good.
func (r *play) createNeeds(ctx context.Context, targets []RuleTarget) {
	for _, t := range targets {
		for _, object := range t.Needs {
			apiVersion, _ := object["apiVersion"].(string)
			kind, _ := object["kind"].(string)
			for i, s := range r.servers {
				if resource, served := s.resource(apiVersion, kind); served {
					r.send(ctx, i, http.MethodPost, s.at(resource).Collection(), object, false)
				}
			}
		}
	}
}

// tryCreates tries the changes of one target as dry-run creates on both servers. The object
// without a change is tried first: where a release refuses it, the answers to changes say
// nothing, except to the values that the target names.
func (r *play) tryCreates(ctx context.Context, t RuleTarget, all []RuleTarget, result *Result) error {
	defer result.cut(ctx)
	if IsTimeUp(ctx) {
		return nil
	}
	base := r.createBoth(ctx, t, t.Object)
	changes, given, members := append(t.changes(), t.byUnion(all)...), t, t.compared()
	if base.answers[0].Accepted != base.answers[1].Accepted {
		t, base = r.between(ctx, t, slices.Concat(append(members, changes)...), base)
	}
	before := t.Object
	if why := t.unusable(base); why != "" {
		result.Reason, before = why, nil
		changes = append(t.named(), t.asHeld()...)
	} else if len(changes)+len(members) == 0 && !t.ofChanges() {
		result.Reason = "no value is known that the rule may refuse"
	}
	r.tryEach(ctx, t, changes, before, result)
	if before != nil && len(result.Trials) == 0 {
		disputed := Result{} // another rule may be why: what the rule itself compares is tried all the same
		tryDisputed(ctx, r, t, &disputed)
		members := t.compared()
		tryCompared(ctx, r, t, members, result)
		tryHidden(ctx, r, t, members, result)
		result.Sent, result.Trials = result.Sent+disputed.Sent, append(result.Trials, disputed.Trials...)
	}
	if len(result.Trials) == 0 && before != nil {
		r.tryEach(ctx, t, given.asHeldIn(t), before, result)
	}
	switch {
	case len(result.Trials) > 0:
		result.Reason = ""
	case result.Reason == "" && result.Sent > 0 && result.BothRefuse == 0 && len(t.Values) == 0 && !t.ofChanges():
		result.Reason = "both releases accept every value that was tried"
	}
	return r.ended(ctx)
}

// tryEach tries changes as dry-run creates on both servers.
func (r *play) tryEach(ctx context.Context, t RuleTarget, changes []change, before map[string]any, result *Result) {
	for _, c := range changes {
		if edited, ok := c.apply(t.Object); ok {
			pair := r.createBoth(ctx, t, edited)
			r.compare(t, c, before, edited, pair.answers, pair.bodies, result)
		}
	}
}

// asHeld returns the value that the object holds, as a change.
func (t RuleTarget) asHeld() []change {
	if at, v, has := t.holds(); has {
		return []change{{at: at, value: v}}
	}
	return nil
}

// asHeldIn returns the value that the object holds, where another object of the target holds another
// one.
func (t RuleTarget) asHeldIn(other RuleTarget) []change {
	_, is, _ := t.holds()
	if _, was, _ := other.holds(); reflect.DeepEqual(is, was) {
		return nil
	}
	return t.asHeld()
}

// between returns the target with the first of its changes that both releases accept: what one of
// them refuses in the object as it is may be another rule's. Without one it returns what it was given.
func (r *play) between(ctx context.Context, t RuleTarget, changes []change, base *pairOfAnswers) (RuleTarget, *pairOfAnswers) {
	for _, c := range changes {
		edited, ok := c.apply(t.Object)
		if !ok || c.removed || c.value == nil {
			continue
		}
		if pair := r.createBoth(ctx, t, edited); pair.answers[0].Accepted && pair.answers[1].Accepted {
			t.Object = edited
			return t, pair
		}
	}
	return t, base
}

// unusable returns why the object without a change says nothing of the rule; "": it does.
func (t RuleTarget) unusable(base *pairOfAnswers) string {
	at, _, held := t.holds()
	for i, role := range []string{"old", "new"} {
		switch {
		case !base.answers[i].Accepted:
			return fmt.Sprintf("the %s release refuses the object without a change: %d %s", role, base.answers[i].Code, base.answers[i].Message)
		case held && !(change{at: at, value: true}).isKept(base.bodies[i]):
			return fmt.Sprintf("the %s release drops the field", role)
		}
	}
	return ""
}

// heldIn returns the place of a change in the changed object: by the keys of lists if they still
// select it.
func (t RuleTarget) heldIn(edited map[string]any, c change) string {
	at, found := locate(t.Object, t.where())
	keyed, err := path.Parse(t.Held)
	if found && err == nil && len(keyed) > 0 && path.String(at) == path.String(c.at) {
		if _, has := path.Get(edited, keyed); has || c.removed {
			return t.Held
		}
	}
	return path.String(c.at)
}

// holds returns the value at the rule's path in the object, and its place.
func (t RuleTarget) holds() (at fieldpath.Path, v any, has bool) {
	at, found := locate(t.Object, t.where())
	if found {
		v, has = path.Get(t.Object, at)
	}
	return at, v, has
}

// createBoth sends a dry-run create to both servers, once for equal objects.
func (r *play) createBoth(ctx context.Context, t RuleTarget, object map[string]any) *pairOfAnswers {
	text, _ := json.Marshal(object)
	key := t.APIVersion + " " + t.Kind + " " + string(text)
	r.mu.Lock()
	pair := r.creates[key]
	if pair == nil {
		pair = &pairOfAnswers{}
		r.creates[key] = pair
	}
	r.mu.Unlock()
	pair.once.Do(func() {
		both(func(i int) { pair.answers[i], pair.bodies[i] = r.create(ctx, i, t, object, true) })
	})
	return pair
}

// compare adds what both releases answered to one change.
func (r *play) compare(t RuleTarget, c change, before, edited map[string]any, answers [2]Answer, bodies [2]map[string]any, result *Result) {
	result.Sent++
	for i := range answers {
		answers[i].dropped = answers[i].Accepted && !c.isKept(bodies[i])
	}
	if !isDecided(answers) {
		result.Unanswered++
		return
	}
	if c.isNull() {
		answers = c.nullsIn(answers, bodies)
	}
	old, new := answers[0], answers[1]
	if before == nil && !old.Panicked && !new.Panicked && old.Accepted != new.Accepted && !old.names(c) && !new.names(c) {
		return // what the release refuses in the object is not the rule's
	}
	switch {
	case old.dropped || new.dropped:
		result.Dropped++
	case old.Accepted && new.Accepted:
		result.BothAccept++
	case !old.Accepted && !new.Accepted:
		result.BothRefuse++
	default:
		result.Trials = append(result.Trials, Trial{
			Target: t.ID, APIVersion: t.APIVersion, Kind: t.Kind, Path: t.Path, Held: t.heldIn(edited, c), Value: c.value, Removed: c.removed,
			Subresource: t.Subresource, Object: edited, Before: before, Needs: t.Needs, Origin: t.Origin, Old: old, New: new,
		})
	}
}

// isDecided reports whether the answers to one change can be compared. A panic can be compared with a
// success alone: beside a refusal it says nothing of what clients lose.
func isDecided(answers [2]Answer) bool {
	old, new := answers[0], answers[1]
	switch {
	case old.Panicked || new.Panicked:
		return old.Accepted || new.Accepted
	default:
		return (old.Accepted || old.isRefusal()) && (new.Accepted || new.isRefusal())
	}
}

// isRefusal reports whether an answer refuses the content of the request.
func (a Answer) isRefusal() bool {
	return slices.Contains([]int{http.StatusBadRequest, http.StatusForbidden, http.StatusUnprocessableEntity}, a.Code)
}

// names reports whether a refusal names the place of a change, or one within or around it.
func (a Answer) names(c change) bool {
	at := tokens(path.String(c.at))
	return slices.ContainsFunc(a.Causes, func(cause string) bool {
		of := tokens("." + cause)
		return strings.HasPrefix(of+".", at+".") || strings.HasPrefix(at+".", of+".")
	})
}

// tokens returns a path in one spelling for elements, entries and members.
func tokens(text string) string { return strings.NewReplacer("[", ".", "]", "", `"`, "").Replace(text) }

// send sends an object to one of the servers, and returns its answer and the object in it.
func (r *play) send(ctx context.Context, server int, method, at string, object map[string]any, dryRun bool) (Answer, map[string]any) {
	body, err := json.Marshal(object)
	if err != nil {
		return Answer{Message: err.Error()}, nil
	}
	request := client.Request{Method: method, Path: at, ContentType: client.JSONContent, Body: body, UserAgent: userAgent}
	if dryRun {
		request.Query = map[string]string{"dryRun": "All"}
	}
	return r.answerTo(ctx, server, request)
}

// answerTo sends a request to one of the servers, and returns its answer and the object in it.
func (r *play) answerTo(ctx context.Context, server int, request client.Request) (Answer, map[string]any) {
	a := r.servers[server].Do(ctx, request)
	answer := Answer{Code: a.Code, Accepted: a.Succeeded() && a.Panic == nil, Panicked: a.Panic != nil}
	if a.Panic != nil {
		answer.Message = "the server panicked: " + a.Panic.Value
		return answer, nil
	}
	if !answer.Accepted {
		answer.Message = a.Text()
		answer.StatusCauses = StatusCauses(a)
		for _, c := range answer.StatusCauses {
			answer.Causes = append(answer.Causes, c.Field)
		}
		return answer, nil
	}
	var answered map[string]any
	if err := utiljson.Unmarshal(a.Body, &answered); err != nil {
		return Answer{Code: a.Code, Message: err.Error()}, nil
	}
	return answer, answered
}

// userAgent is the client of dry runs in the servers' logs, and the manager of what they write.
const userAgent = "skewsim-exercise"

// create creates a target's object on one server, under another name if its own is taken.
func (r *play) create(ctx context.Context, server int, t RuleTarget, object map[string]any, dryRun bool) (Answer, map[string]any) {
	at := r.place(server, t).Collection()
	answer, created := r.send(ctx, server, http.MethodPost, at, object, dryRun)
	if answer.Code == http.StatusConflict {
		return r.send(ctx, server, http.MethodPost, at, renamed(object), dryRun)
	}
	return answer, created
}

// place returns where the objects of a target are on a server that serves them.
func (r *play) place(server int, t RuleTarget) client.Resource {
	resource, _ := r.servers[server].resource(t.APIVersion, t.Kind)
	return r.servers[server].at(resource)
}

// prepared returns the targets with objects that can be created in any namespace: each has a
// name, and nothing that a server has added.
func prepared(targets []RuleTarget) []RuleTarget {
	all := slices.Clone(targets)
	for i := range all {
		if all[i].Object == nil {
			continue
		}
		all[i].Object = runtime.DeepCopyJSON(all[i].Object)
		metadata, _ := all[i].Object["metadata"].(map[string]any)
		if metadata == nil {
			metadata = map[string]any{}
			all[i].Object["metadata"] = metadata
		}
		for _, name := range append(schema.ServerMetadata(), "namespace") {
			delete(metadata, name)
		}
		if metadata["name"] == nil && metadata["generateName"] == nil {
			metadata["name"] = "example"
		}
	}
	return all
}
