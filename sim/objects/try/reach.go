package try

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/search"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// targetSearch is how one target is reached.
type targetSearch struct {
	kind     *kind
	specimen *Specimen
	hints    []objects.Hint
	examples []map[string]any
	exists   bool // the object: it is updated
	writer
	// wear returns the object as a client sends it whom the searched object belongs to.
	wear func(object map[string]any) map[string]any
}

// maxDefaults is how many values that equal the server's default are given up for others.
const maxDefaults = 4

// found is an accepted object that holds the target.
type found struct {
	worth     int
	fit       fit
	object    map[string]any
	bystander map[string]any
	held      string
	answered  any
	origin    term.ObjectOrigin
}

// The worth of an accepted object: its value did not come back, came back otherwise, as a default
// would, or as only this value does.
const (
	unkept = 1 + iota
	otherwise
	asDefault
	itself
)

// reach sends objects until one is accepted and holds the value.
func (e *exerciser) reach(ctx context.Context, s targetSearch) error {
	at, ok := search.New(search.Request{
		Kind: s.kind.generate, Path: s.specimen.Path, Value: s.specimen.Value, Alike: s.specimen.Alike, Examples: s.examples, Hints: s.hints, Pool: e.pool, OnlyExamples: s.exists,
	})
	if !ok {
		s.specimen.Reason = fmt.Sprintf("%s %s: no value of %s can be generated", s.kind.APIVersion, s.kind.Kind, s.specimen.Path)
		return nil
	}
	best, reason, err := e.bestFound(ctx, s, at)
	if err != nil {
		return err
	}
	if best.worth == 0 {
		s.specimen.Reason = reason
		return nil
	}
	s.specimen.Object, s.specimen.Bystander = s.wear(best.object), best.bystander
	s.specimen.Held, s.specimen.Answered = best.held, best.answered
	s.specimen.Origin = best.origin
	return nil
}

// isBetter reports whether an object is better than another one: it holds the value, the other release has
// less to say against it, and the value comes back as it was sent.
func (f found) isBetter(than found) bool {
	holds := func(f found) int { return min(f.worth, unkept+1) }
	return cmp.Or(cmp.Compare(holds(f), holds(than)), cmp.Compare(f.fit, than.fit), cmp.Compare(f.worth, than.worth)) > 0
}

// bestFound returns the best of the accepted objects, or the reason why none is. An object that the
// server cannot answer ends the search: what was accepted before counts.
func (e *exerciser) bestFound(ctx context.Context, s targetSearch, at *search.Search) (best found, reason string, _ error) {
	var said saying
	least := s.specimen.least()
	for tries, fits, more := 0, 0, true; more && tries < maxDefaults && fits < maxFits; {
		a := s.send(ctx, at.Object())
		switch {
		case ctx.Err() != nil:
			return found{}, "", ctx.Err()
		case a.Panic != nil:
			return best, "the server panicked: " + a.Panic.Value, nil
		case a.Err != nil || statuscode.Busy(a.Code):
			return best, a.Text(), nil
		case !a.Succeeded():
			said.refusal(a)
			refusal := statusOf(a)
			switch {
			case best.worth > 0 && best.fit < least:
				fits++
				_, theirs := criticized(ctx, s, at)
				refusal = with(refusal, theirs)
			case best.worth > 0:
				tries++
			}
			more = at.Repair(refusal)
			continue
		}
		f := e.judge(ctx, s, at, a)
		var theirs *metav1.Status
		if f.worth > 0 {
			f.fit, theirs = criticized(ctx, s, at)
			f.fit = min(f.fit, least)
		}
		if f.isBetter(best) {
			best = f
		}
		if best.worth == itself && best.fit == least {
			break
		}
		if theirs != nil && f.fit < least {
			fits++
			more = at.Repair(theirs)
			continue
		}
		said.dropped(f)
		if f.worth > 0 {
			tries++
		}
		more = at.Dropped()
	}
	return best, said.reason(), nil
}

// statusOf returns the status of a refusal; a text alone becomes one.
func statusOf(a client.Answer) *metav1.Status {
	if a.Status != nil {
		return a.Status
	}
	return &metav1.Status{Message: a.Text()}
}

// judge compares the answer to an accepted object with what was sent.
func (e *exerciser) judge(ctx context.Context, s targetSearch, at *search.Search, a client.Answer) found {
	object := runtime.DeepCopyJSON(at.Object())
	f := found{object: object, origin: origin(at)}
	answer, ok := decoded(a)
	switch {
	case !ok:
		return f
	case len(at.Held()) == 0:
		f.worth = itself
		return f
	}
	h := s.kind.holds(object, answer, at.Held())
	if !h.there && s.specimen.Unkept {
		f.held, f.worth = h.path, unkept
	}
	if !h.there || s.specimen.Value != nil && !h.equal {
		return f
	}
	f.held, f.answered = h.path, h.value
	f.worth = otherwise
	if !h.equal {
		return f
	}
	f.worth = itself
	for _, smaller := range at.Bystanders() {
		b := s.send(ctx, smaller)
		if !b.Succeeded() {
			continue
		}
		f.bystander = s.wear(smaller)
		if without, ok := decoded(b); ok {
			if same := s.kind.holds(object, without, at.Held()); same.there && reflect.DeepEqual(same.value, h.value) {
				f.worth = asDefault
			}
		}
		break
	}
	return f
}

// holding is what an answer shows at the place of a value.
type holding struct {
	there, equal bool
	path         string
	value        any
}

// holds reports whether an answer holds the value that was sent at a place.
func (k *kind) holds(sent, answer map[string]any, at objects.Location) (h holding) {
	wanted, was, _ := k.schema.Named(sent, at.String())
	h.path = path.String(wanted)
	p, is, there := k.schema.Named(answer, at.String())
	if !there || len(is) == 0 {
		return h
	}
	if q, has := path.Get(answer, wanted); has && q != nil { // by key, where a server has moved it
		p = wanted
		is = k.below(answer, at, is, path.String(wanted))
	}
	h.there, h.path = true, path.String(p)
	h.value, _ = path.Get(answer, p)
	h.equal = true
	for text, leaf := range was {
		if isEmptyContainer(leaf.Value) {
			continue
		}
		if got, has := is[text]; !has || got.Semantic != leaf.Semantic {
			h.equal = false
		}
	}
	return h
}

// below returns the leaves of an answer at a path.
func (k *kind) below(answer map[string]any, at objects.Location, known schema.Leaves, text string) schema.Leaves {
	for name := range known {
		if strings.HasPrefix(name, text) {
			return known
		}
	}
	all := schema.Leaves{}
	for name, l := range k.schema.Leaves(answer) {
		if strings.HasPrefix(name, text) {
			all[name] = l
		}
	}
	return all
}

func isEmptyContainer(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func decoded(a client.Answer) (object map[string]any, ok bool) {
	return object, utiljson.Unmarshal(a.Body, &object) == nil && object != nil
}

// saying is what a server said while a target was searched.
type saying struct {
	first map[string]string // the text of a complaint, by the complaint without its value
	times map[string]int
	most  string
	drops bool
}

// refusedValue is the value that a complaint quotes.
var refusedValue = regexp.MustCompile(`: ("(?:[^"\\]|\\.)*"|\{.*?\}|[^ :]+):`)

// refusal notes a refusal: the complaint that no repair satisfies comes most often.
func (s *saying) refusal(a client.Answer) {
	texts := []string{a.Text()}
	if a.Status != nil && a.Status.Details != nil && len(a.Status.Details.Causes) > 0 {
		texts = nil
		for _, c := range a.Status.Details.Causes {
			texts = append(texts, c.Field+": "+c.Message)
		}
	}
	if s.first == nil {
		s.first, s.times = map[string]string{}, map[string]int{}
	}
	for _, text := range texts {
		key := refusedValue.ReplaceAllString(text, ":")
		if s.times[key]++; s.times[key] == 1 {
			s.first[key] = text
		}
		if s.times[key] > s.times[s.most] {
			s.most = key
		}
	}
}

// dropped notes that an accepted object does not hold the value.
func (s *saying) dropped(f found) { s.drops = s.drops || f.worth <= unkept }

func (s *saying) reason() string {
	if s.drops {
		return strings.TrimSuffix("the server accepts the object, and its answer does not show the value; otherwise it says: "+s.first[s.most], "; otherwise it says: ")
	}
	return s.first[s.most]
}

func copyOf(object map[string]any) map[string]any { return runtime.DeepCopyJSON(object) }

func encoded(object map[string]any) ([]byte, error) { return json.Marshal(object) }
