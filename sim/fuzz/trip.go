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
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// Namespace is the namespace of namespaced objects.
const Namespace = "skewsim-fuzz"

// Trip says which object travels where: a kind, the place where the object is created, and
// the places of both releases that serve the kind.
type Trip struct {
	Releases map[term.Role]*Release
	Kind     string // with its group
	Origin   Place
	Places   []Place
	Name     string // of the object's copies, which are numbered
}

// Traveller sends one object through every place of its kind.
type Traveller struct {
	Trip
	Turns    *Turns // nil if the releases share nothing that is installed
	Naming   objects.Naming
	Hasty    bool // do not retry the refusal of another copy
	Requests int
	copies   int
	kept     []string // the names of stored copies
	// undecided reports that the last place answered nothing that decides what became of the copy.
	undecided bool
	// panicked are the facts of servers' panics since they were last taken.
	panicked []Fact
}

// Fact is something wrong with one object, or an impact on it.
type Fact struct {
	Check   term.CheckName
	Class   term.Class
	Cause   term.Cause
	By      term.Rule // the rule that decides the class, if the field is not published
	Through Place
	Wrote   bool // the fact is about what was written there, else about what was read
	Diff    Difference
	Code    int    // of an answer without success
	When    int64  // how many requests its server had received by then
	Answer  string // the answer's text
	From    string // the fields that a value is wrongly made of
	// Panic is what a server panicked with, answer the request; object is what it was sent,
	// if that is not the journey's object.
	Panic  *client.Panic
	Object map[string]any
}

// Key identifies equal facts.
func (f Fact) Key() string {
	return fmt.Sprint(f.Check, f.Class, f.Diff.Outcome, f.Through.Role, f.Through.APIVersion(), f.Wrote, f.Code, " ", Pattern(f.Diff.Path), panicLine(f.Panic))
}

// Copy is an object that a server accepted.
type Copy struct {
	name         string
	Acknowledged schema.Leaves
}

// send sends one request. The absence of an answer ends the journey: it says nothing about
// the object, unless the server panicked.
func (t *Traveller) send(ctx context.Context, at Place, method, name string, body []byte) (client.Answer, error) {
	r := client.Request{Method: method, Path: t.resource(at).Collection(), Body: body, ContentType: client.JSONContent}
	if name != "" {
		r.Path = t.resource(at).Object(name)
	}
	return t.do(ctx, at, r)
}

// answered returns an answer in the form that package ruling takes.
func answered(a client.Answer) ruling.Answer { return ruling.Answer{Code: a.Code, Message: Words(a)} }

func (t *Traveller) do(ctx context.Context, at Place, r client.Request) (client.Answer, error) {
	if err := t.Turns.enter(ctx, at.Role); err != nil {
		return client.Answer{}, err
	}
	defer t.Turns.leave()
	t.Requests++
	asked := t.Releases[at.Role]
	number := asked.asked.Add(1)
	a := asked.Conn.Do(ctx, r)
	if a.Panic != nil {
		t.panicked = append(t.panicked, Fact{
			Check: term.CheckRule3, Class: term.Violation, Through: at, Answer: r.Method,
			Diff: Difference{Outcome: term.Panicked}, Panic: a.Panic,
		})
		asked.AnsweredWell(number)
		return a, nil
	}
	if a.Err != nil {
		return a, &NoAnswerError{fmt.Sprintf("%s %s through %s", r.Method, r.Path, asked.Version), a.Err}
	}
	if !statuscode.MayBeLast(a.Code) {
		asked.AnsweredWell(number)
	}
	return a, nil
}

func (t *Trip) resource(at Place) client.Resource {
	where := client.Resource{APIVersion: at.APIVersion(), Plural: at.Resource.Plural}
	if at.Resource.Namespaced {
		where.Namespace = Namespace
	}
	return where
}

// leaves returns the values of a served object, as its release publishes them.
func (t *Trip) leaves(at Place, body []byte) (schema.Leaves, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(body, &object); err != nil {
		return nil, fmt.Errorf("an answer of %s is no object: %w", t.Releases[at.Role].Version, err)
	}
	return t.ValuesOf(at, object), nil
}

// ValuesOf returns the values of an object, except those that only its server writes.
func (t *Trip) ValuesOf(at Place, object map[string]any) schema.Leaves {
	for _, name := range at.Resource.Subresources {
		delete(object, name)
	}
	k, _ := t.Releases[at.Role].Schema.Kind(at.APIVersion(), at.Resource.Kind)
	return k.Leaves(object)
}

// Travel sends an object on its trip, and adds the servers' panics to the trip's facts.
func (t *Traveller) Travel(ctx context.Context, object map[string]any, through []Place) ([]Fact, error) {
	facts, err := t.trip(ctx, object, through)
	t.Clear(ctx)
	if err == nil {
		facts, err = t.withoutUnset(ctx, object, facts)
	}
	return append(facts, t.TakePanics(object)...), err
}

// trip sends an object, which its origin accepted before, through the given places: it is
// read there, written back unchanged, and read where it was created. A damaged copy goes no
// further: the next place gets a fresh one.
func (t *Traveller) trip(ctx context.Context, object map[string]any, through []Place) ([]Fact, error) {
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
		if len(found) > 0 || t.undecided { // a write without an answer may have taken effect
			c, t.undecided = nil, false
		}
	}
	return facts, nil
}

// unaccepted returns the published values that the create's own answer does not have,
// except those that need a gate which is off. If the release serves only one version, no
// conversion can have lost them: they are behind a gate that no schema names, or the server
// clears them, and that is no violation.
func (t *Trip) unaccepted(object map[string]any, c *Copy) []Fact {
	var facts []Fact
	r := t.Releases[t.Origin.Role]
	k, _ := r.Schema.Kind(t.Origin.APIVersion(), t.Origin.Resource.Kind)
	class := term.Impact
	for _, p := range t.Places {
		if p.Role == t.Origin.Role && p.APIVersion() != t.Origin.APIVersion() {
			class = term.Violation
		}
	}
	for _, d := range NotAccepted(t.ValuesOf(t.Origin, runtime.DeepCopyJSON(object)), c.Acknowledged) {
		if k.Declares(d.Path) && r.GatesOn(k.Gating().Gates(d.Path), t.Releases[t.Origin.Role.Other()]) && !emptyValue(d.Before) {
			facts = append(facts, Fact{Check: term.CheckRule4, Class: class, By: term.RuleLifecycle, Through: t.Origin, Wrote: true, Diff: d})
		}
	}
	return facts
}

// offer asks the new release, as a dry run, whether it accepts in the same version what the
// old one accepted, and adds a fact if it does not. The old release's answer to the new
// one's objects would prove nothing: those may use fields that it does not have. Neither
// would an object of which the old release dropped a value, such as a field behind a gate
// that is off.
func (t *Traveller) offer(ctx context.Context, object map[string]any, taken *Copy, at Place, facts []Fact) ([]Fact, error) {
	if t.Origin.Role != term.Old || at.Role != term.New || at.APIVersion() != t.Origin.APIVersion() {
		return facts, nil
	}
	offered := t.withoutOwnUnset(object, taken)
	if offered == nil {
		return facts, nil
	}
	offered, name := t.Naming.Name(offered, t.Name)
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
	// If the origin refuses it too, the stored copy is the reason.
	if own, err := t.do(ctx, t.Origin, r); err != nil || !own.Succeeded() {
		return facts, err
	}
	c := &Copy{name, t.ValuesOf(t.Origin, runtime.DeepCopyJSON(object))}
	return append(facts, t.refused(c, at, term.CheckRule1, term.Refused, a)), nil
}

// unread returns the fact that a copy cannot be read at a place; none if the answer says nothing about the copy.
func (t *Traveller) unread(c *Copy, at Place, a client.Answer) []Fact {
	check, outcome := term.CheckEverythingDecodes, answered(a).Ending().OfRead()
	switch outcome {
	case term.Failed:
		t.undecided = true
		return nil
	case term.Lost:
		check = term.CheckNothingLost // it is stored no more
	}
	return told(a, t.refused(c, at, check, outcome, a))
}

// unwritten returns the fact that a copy cannot be written at a place; none if the answer does not decide that. A
// conflict decides it if the copy was read again each time: nobody else writes it.
func (t *Traveller) unwritten(c *Copy, at Place, a client.Answer, decided bool) []Fact {
	if !decided || answered(a).OfWrite() != term.Frozen && !conflicts(a) {
		t.undecided = true
		return nil
	}
	return told(a, t.refused(c, at, term.CheckStaysWritable, term.Frozen, a))
}

// visit sends a copy through one place.
func (t *Traveller) visit(ctx context.Context, c *Copy, at Place) ([]Fact, error) {
	a, err := t.send(ctx, at, http.MethodGet, c.name, nil)
	if err != nil {
		return nil, err
	}
	if !a.Succeeded() {
		return t.unread(c, at, a), nil
	}
	var facts []Fact
	if at.APIVersion() == t.Origin.APIVersion() {
		if facts, err = t.compare(c, at, at, false, a.Body); err != nil {
			return nil, err
		}
	}
	before, err := t.before(ctx, c, at)
	if err != nil {
		return facts, err
	}
	written, decided, err := t.writeBack(ctx, c, at, a)
	if err != nil {
		return facts, err
	}
	if !written.Succeeded() {
		return append(facts, t.unwritten(c, at, written, decided)...), nil
	}
	back, err := t.send(ctx, t.Origin, http.MethodGet, c.name, nil)
	if err != nil {
		return facts, err
	}
	if !back.Succeeded() {
		return append(facts, t.unread(c, t.Origin, back)...), nil
	}
	lost, err := t.compare(c, t.Origin, at, true, back.Body)
	if err != nil || before == nil {
		return append(facts, lost...), err
	}
	after, err := t.leaves(t.Origin, back.Body)
	for _, d := range besides(c.Acknowledged, before, after) {
		lost = append(lost, Fact{Check: checkOf(t.Origin, at), Class: term.Violation, Through: at, Wrote: true, Diff: d})
	}
	return append(facts, lost...), err
}

// before returns the values that the origin shows of a copy that is to be written in
// another version of the same release: that trip may add nothing either. It returns nil for
// any other place: the releases' defaults may differ.
func (t *Traveller) before(ctx context.Context, c *Copy, at Place) (schema.Leaves, error) {
	if at.Role != t.Origin.Role || at.APIVersion() == t.Origin.APIVersion() {
		return nil, nil
	}
	a, err := t.send(ctx, t.Origin, http.MethodGet, c.name, nil)
	if err != nil || !a.Succeeded() {
		return nil, err
	}
	return t.leaves(t.Origin, a.Body)
}

// compare compares what a place serves, in the version in which the object was created,
// with the acknowledged values.
func (t *Trip) compare(c *Copy, read, through Place, wrote bool, body []byte) ([]Fact, error) {
	served, err := t.leaves(read, body)
	if err != nil {
		return nil, err
	}
	var facts []Fact
	for _, d := range differences(c.Acknowledged, served) {
		value := t.value(through, d.Path)
		r := value.Changed(through.Role)
		if d.Outcome == term.Lost {
			r = value.Absent(through.Role, wrote)
		}
		d.Outcome = r.Outcome
		f := Fact{Check: checkOf(t.Origin, through), Through: through, Wrote: wrote, Diff: d, Class: r.Class, Cause: r.Cause}
		if r.Cause != term.Unattributed { // what its release does not publish
			f.By = r.Rule
		}
		facts = append(facts, f)
	}
	return facts, nil
}

// refused returns the fact that a call was answered without success. It is an impact if the
// object has a field that the release does not publish, and need not.
func (t *Trip) refused(c *Copy, at Place, check term.CheckName, state term.Outcome, a client.Answer) Fact {
	f := Fact{Check: check, Class: term.Violation, Cause: term.Unattributed, Through: at, Wrote: check == term.CheckStaysWritable, Code: a.Code}
	f.When = t.Releases[at.Role].asked.Load()
	f.Answer = revision.ReplaceAllString(strings.ReplaceAll(Words(a), c.name, t.Name), "revision=...")
	f.Diff.Outcome = state
	if check == term.CheckEverythingDecodes || check == term.CheckNothingLost { // no field excuses that
		return f
	}
	for _, leaf := range c.Acknowledged {
		if theirOwn(leaf.Path) {
			continue
		}
		// The reported reason does not depend on the order of a map.
		if r := t.value(at, leaf.Path).Changed(at.Role); r.Class == term.Impact && f.By != term.Rule6 {
			f.Class, f.By = r.Class, r.Rule
		}
	}
	if check == term.CheckStaysWritable && f.By == term.Rule6 {
		f.Class, f.By = ruling.Writable(at.Role, true)
	}
	return f
}

// revision matches store revisions in a server's words, which differ between runs.
var revision = regexp.MustCompile(`revision=[0-9]+`)

// Words returns a server's words about a refusal.
func Words(a client.Answer) string {
	if a.Status != nil && a.Status.Message != "" {
		return a.Status.Message
	}
	return string(a.Body[:min(len(a.Body), 200)])
}

// PathText formats a path for messages.
func (d Difference) PathText() string { return path.String(d.Path) }
