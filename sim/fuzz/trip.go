package fuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/generate"
	"github.com/skewsim/skewsim/sim/schema"
)

// Namespace is where objects of namespaced kinds lie.
const Namespace = "skewsim-fuzz"

// traveller sends one object through every place of its kind.
type traveller struct {
	releases map[term.Role]*release
	turns    *turns // nil: the releases share nothing that is installed
	kind     string // with its group
	origin   place
	places   []place
	name     string // of its copies, which are numbered
	naming   generate.Naming
	copies   int
	kept     []string // the names of its copies that are stored
	hasty    bool     // the first refusal of another copy counts
	requests int
	// panicked are the facts that a server panicked, of the requests since they were last taken.
	panicked []fact
}

// fact is something wrong with one object, or an impact on it.
type fact struct {
	check   term.CheckName
	class   term.Class
	by      term.Rule // that settles the class, where the field is not published
	through place
	wrote   bool // the fact is of what was written there, else of what was read
	diff    difference
	code    int    // of an answer that is no success
	when    int64  // how many requests its server had been sent by then
	answer  string // its words
	from    string // the fields that a value is made of by mistake
	// panic is what a server panicked with, object what it was sent, where that is not the
	// journey's object, and answer the request.
	panic  *client.Panic
	object map[string]any
}

// key tells facts that are alike.
func (f fact) key() string {
	return fmt.Sprint(f.check, f.class, f.diff.state, f.through.role, f.through.apiVersion(), f.wrote, f.code, " ", pattern(f.diff.path), where(f.panic))
}

// copyMade is an object that a server took.
type copyMade struct {
	name         string
	acknowledged schema.Leaves
}

// send sends one request. That there is no answer at all ends the journey: it says
// nothing of the object, unless the server panicked.
func (t *traveller) send(ctx context.Context, at place, method, name string, body []byte) (client.Answer, error) {
	r := client.Request{Method: method, Path: t.resource(at).Collection(), Body: body, ContentType: client.JSONContent}
	if name != "" {
		r.Path = t.resource(at).Object(name)
	}
	return t.do(ctx, at, r)
}

func (t *traveller) do(ctx context.Context, at place, r client.Request) (client.Answer, error) {
	if err := t.turns.enter(ctx, at.role); err != nil {
		return client.Answer{}, err
	}
	defer t.turns.leave()
	t.requests++
	asked := t.releases[at.role]
	number := asked.asked.Add(1)
	a := asked.conn.Do(ctx, r)
	if a.Panic != nil {
		t.panicked = append(t.panicked, fact{
			check: term.CheckRule3, class: term.Violation, through: at, answer: r.Method,
			diff: difference{state: term.Panicked}, panic: a.Panic,
		})
		asked.answeredWell(number)
		return a, nil
	}
	if a.Err != nil {
		return a, &noAnswerError{fmt.Sprintf("%s %s through %s", r.Method, r.Path, asked.version), a.Err}
	}
	if !ending(a.Code) {
		asked.answeredWell(number)
	}
	return a, nil
}

func (t *traveller) resource(at place) client.Resource {
	where := client.Resource{APIVersion: at.apiVersion(), Plural: at.resource.Plural}
	if at.resource.Namespaced {
		where.Namespace = Namespace
	}
	return where
}

// leaves are the values of an object that was served, as its release publishes them.
func (t *traveller) leaves(at place, body []byte) (schema.Leaves, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(body, &object); err != nil {
		return nil, fmt.Errorf("an answer of %s is no object: %w", t.releases[at.role].version, err)
	}
	return t.valuesOf(at, object), nil
}

// valuesOf are the values of an object, but for what its server alone writes.
func (t *traveller) valuesOf(at place, object map[string]any) schema.Leaves {
	for _, name := range at.resource.Subresources {
		delete(object, name)
	}
	k, _ := t.releases[at.role].schema.Kind(at.apiVersion(), at.resource.Kind)
	return k.Leaves(object)
}

// travel sends an object on its trip, and adds the panics of servers to what the trip shows.
func (t *traveller) travel(ctx context.Context, object map[string]any, through []place) ([]fact, error) {
	facts, err := t.trip(ctx, object, through)
	t.clear(ctx)
	if err == nil {
		facts, err = t.withoutUnset(ctx, object, facts)
	}
	return append(facts, t.takePanics(object)...), err
}

// trip sends an object, which its origin has taken before, through the places
// given: it is read there, written back unchanged, and read where it came from. A
// copy that was damaged goes no further: the next place is given a fresh one.
func (t *traveller) trip(ctx context.Context, object map[string]any, through []place) ([]fact, error) {
	c, a, err := t.again(ctx, object)
	if err != nil || c == nil && a.Panic != nil {
		return nil, err
	}
	if c == nil {
		return nil, t.notAgain(a)
	}
	facts := t.unaccepted(object, c)
	for _, at := range through {
		if c == nil { // the one before was damaged
			if c, a, err = t.again(ctx, object); err != nil {
				return facts, err
			}
			if c == nil && a.Panic != nil {
				return facts, nil
			}
			if c == nil {
				return facts, t.notAgain(a)
			}
		}
		if facts, err = t.offer(ctx, object, c, at, facts); err != nil {
			return facts, err
		}
		taken, err := t.mistaken(ctx, object, c, at)
		if facts = append(facts, taken...); err != nil {
			return facts, err
		}
		found, err := t.visit(ctx, c, at)
		facts = append(facts, found...)
		if err != nil {
			return facts, err
		}
		if len(found) > 0 {
			c = nil
		}
	}
	return facts, nil
}

// unaccepted are the values that the create's own answer does not show, though the
// release publishes them and has no gate off that they are said to need. Where it
// serves one version alone no conversion can have lost them: they are behind a gate
// that no schema tells of, or the server's to clear, and that is no violation.
func (t *traveller) unaccepted(object map[string]any, c *copyMade) []fact {
	var facts []fact
	r := t.releases[t.origin.role]
	k, _ := r.schema.Kind(t.origin.apiVersion(), t.origin.resource.Kind)
	class := term.Impact
	for _, p := range t.places {
		if p.role == t.origin.role && p.apiVersion() != t.origin.apiVersion() {
			class = term.Violation
		}
	}
	for _, d := range notAccepted(t.valuesOf(t.origin, runtime.DeepCopyJSON(object)), c.acknowledged) {
		if k.Declares(d.path) && r.gatesOn(k.Gates(d.path), t.releases[t.origin.role.Other()]) && !emptyValue(d.before) {
			facts = append(facts, fact{check: term.CheckRule4, class: class, by: term.Lifecycle, through: t.origin, wrote: true, diff: d})
		}
	}
	return facts
}

// offer has the new release say whether it would take, in the same version, what
// the old one took, and adds the fact that it would not. What the old release makes
// of the new one's objects says nothing: they may use what it does not have. Nor
// does an object of which the old release dropped something, such as a field behind
// a gate that is off: it uses what comes.
func (t *traveller) offer(ctx context.Context, object map[string]any, taken *copyMade, at place, facts []fact) ([]fact, error) {
	if t.origin.role != term.Old || at.role != term.New || at.apiVersion() != t.origin.apiVersion() {
		return facts, nil
	}
	offered := t.withoutOwnUnset(object, taken)
	if offered == nil {
		return facts, nil
	}
	offered, name := t.naming.Name(offered, t.name)
	body, err := json.Marshal(offered)
	if err != nil {
		return facts, err
	}
	r := client.Request{Method: http.MethodPost, Path: t.resource(at).Collection(), Body: body, ContentType: client.JSONContent}
	r.Query = map[string]string{"dryRun": "All"}
	a, err := t.do(ctx, at, r)
	if err != nil || a.Succeeded() || a.Panic != nil {
		return facts, err
	}
	// What the origin refuses too, it refuses for the copy that is stored.
	if own, err := t.do(ctx, t.origin, r); err != nil || !own.Succeeded() {
		return facts, err
	}
	c := &copyMade{name, t.valuesOf(t.origin, runtime.DeepCopyJSON(object))}
	return append(facts, t.refused(c, at, term.CheckRule1, term.Refused, a)), nil
}

// visit takes a copy through one place.
func (t *traveller) visit(ctx context.Context, c *copyMade, at place) ([]fact, error) {
	a, err := t.send(ctx, at, http.MethodGet, c.name, nil)
	if err != nil {
		return nil, err
	}
	if !a.Succeeded() {
		return t.told(a, t.refused(c, at, term.EverythingDecodes, term.Undecodable, a)), nil
	}
	var facts []fact
	if at.apiVersion() == t.origin.apiVersion() {
		if facts, err = t.compare(c, at, at, false, a.Body); err != nil {
			return nil, err
		}
	}
	before, err := t.before(ctx, c, at)
	if err != nil {
		return facts, err
	}
	written, err := t.writeBack(ctx, c, at, a)
	if err != nil {
		return facts, err
	}
	if !written.Succeeded() {
		return append(facts, t.told(written, t.refused(c, at, term.StaysWritable, term.Frozen, written))...), nil
	}
	back, err := t.send(ctx, t.origin, http.MethodGet, c.name, nil)
	if err != nil {
		return facts, err
	}
	if !back.Succeeded() {
		return append(facts, t.told(back, t.refused(c, t.origin, term.EverythingDecodes, term.Undecodable, back))...), nil
	}
	lost, err := t.compare(c, t.origin, at, true, back.Body)
	if err != nil || before == nil {
		return append(facts, lost...), err
	}
	after, err := t.leaves(t.origin, back.Body)
	for _, d := range besides(c.acknowledged, before, after) {
		lost = append(lost, fact{check: checkOf(t.origin, at), class: term.Violation, through: at, wrote: true, diff: d})
	}
	return append(facts, lost...), err
}

// before are the values that the origin shows of a copy that is to be written in
// another version of the same release: that trip may add nothing either. Nil of any
// other place: the releases' defaults may differ.
func (t *traveller) before(ctx context.Context, c *copyMade, at place) (schema.Leaves, error) {
	if at.role != t.origin.role || at.apiVersion() == t.origin.apiVersion() {
		return nil, nil
	}
	a, err := t.send(ctx, t.origin, http.MethodGet, c.name, nil)
	if err != nil || !a.Succeeded() {
		return nil, err
	}
	return t.leaves(t.origin, a.Body)
}

// compare holds what is served at a place, in the version that the object was made
// in, against what was acknowledged.
func (t *traveller) compare(c *copyMade, read, through place, wrote bool, body []byte) ([]fact, error) {
	served, err := t.leaves(read, body)
	if err != nil {
		return nil, err
	}
	var facts []fact
	for _, d := range differences(c.acknowledged, served) {
		if !wrote && d.state == term.Lost {
			d.state = term.Hidden
		}
		f := fact{check: checkOf(t.origin, through), through: through, wrote: wrote, diff: d}
		f.class, f.by = t.class(through, d.path)
		facts = append(facts, f)
	}
	return facts, nil
}

// refused is the fact that a call was answered without success. It is an impact
// when the object holds what the release does not publish, and need not.
func (t *traveller) refused(c *copyMade, at place, check term.CheckName, state term.State, a client.Answer) fact {
	f := fact{check: check, class: term.Violation, through: at, wrote: check == term.StaysWritable, code: a.Code}
	f.when = t.releases[at.role].asked.Load()
	f.answer = revision.ReplaceAllString(strings.ReplaceAll(words(a), c.name, t.name), "revision=...")
	f.diff.state = state
	for _, leaf := range c.acknowledged {
		if check == term.EverythingDecodes || theirOwn(leaf.Path) {
			continue
		}
		// Of several reasons, the one to tell does not hang on the order of a map.
		if class, by := t.class(at, leaf.Path); class == term.Impact && f.by != term.Rule6 {
			f.class, f.by = class, by
		}
	}
	return f
}

// revision is what a server says of the store, and differs with what else is sent.
var revision = regexp.MustCompile(`revision=[0-9]+`)

// words are what a server says of a refusal.
func words(a client.Answer) string {
	if a.Status != nil && a.Status.Message != "" {
		return a.Status.Message
	}
	return string(a.Body[:min(len(a.Body), 200)])
}

// text is a path as messages show it.
func (d difference) text() string { return path.String(d.path) }
