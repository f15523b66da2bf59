package fuzz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
)

// atOnce is how many objects travel at once. Each has copies of its own, so that objects do
// not depend on each other.
const atOnce = 6

// lap is one state of the features, with running servers.
type lap struct {
	*fuzzer
	plan     lapPlan
	releases map[term.Role]*Release
	turns    *Turns
	ended    error // why it ended early; servers receive no requests afterwards

	mu        sync.Mutex
	fresh     map[string][]string // fields that only the new release publishes, by kind and version
	broken    bool                // an object came back broken, and the progress has a note of it
	travelled int                 // number of objects
	brokenOff int                 // number of journeys that ended without an answer
}

func (l *lap) atOnce() int {
	if l.turns != nil {
		return TurnsAtOnce
	}
	return atOnce
}

// journey is the trip of one object, and what it showed.
type journey struct {
	number    int
	traveller *Traveller
	object    map[string]any
	repairs   int
	accepted  bool
	done      bool // the trip is complete, or the object was given up
	refusal   string
	broken    string // the request without an answer, or with a sudden refusal, that ended it; "" without one
	facts     []Fact
}

// objects returns the objects of a run. Kinds take turns, and number their objects from 0
// each, so that an object does not depend on which other kinds there are.
func (f *fuzzer) objects() []Object {
	if f.config.Only != nil {
		return []Object{{f.kinds[0], *f.config.Only}}
	}
	all := make([]Object, f.config.Count)
	for i := range all {
		all[i] = Object{f.kinds[i%len(f.kinds)], i / len(f.kinds)}
	}
	return all
}

// all sends every object on its trip, and returns the journeys in the objects' order. After
// an error, the journeys that never began are nil.
func (l *lap) all(ctx context.Context) ([]*journey, error) {
	objects := l.objects()
	journeys := make([]*journey, len(objects))
	group, riding := errgroup.WithContext(ctx)
	group.SetLimit(l.atOnce())
	for i, o := range objects {
		group.Go(func() error {
			return fault.Guard(func() error {
				if riding.Err() != nil { // it waited for its turn
					return nil
				}
				t := l.traveller(o)
				if t == nil {
					return nil
				}
				l.turns.Travel(1)
				defer l.turns.Travel(-1)
				journeys[i] = &journey{number: o.Number, traveller: t}
				return l.send(riding, journeys[i])
			})
		})
	}
	if err := group.Wait(); err != nil {
		return journeys, err
	}
	return journeys, ctx.Err()
}

// send sends one object on its trip. A request without an answer ends the trip of that
// object alone, as long as the servers live.
func (l *lap) send(ctx context.Context, j *journey) error {
	err := l.one(ctx, j)
	if l.costsOne(ctx, err) {
		j.broken, err = err.Error(), nil
	}
	j.done = err == nil
	l.progress(j)
	return err
}

// maxBroken is how many journeys of a lap may end without an answer: each costs a minute
// if a server continues to give none.
const maxBroken = 10

// costsOne reports whether an error ends one journey alone: a release refuses what it
// accepted before, or a request got no answer, and both servers live.
func (l *lap) costsOne(ctx context.Context, err error) bool {
	var silent *NoAnswerError
	var refused *NotAgainError
	if errors.As(err, &refused) {
		return true
	}
	if !errors.As(err, &silent) || l.bury(ctx, err, nil) != err || ctx.Err() != nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.brokenOff++
	return l.brokenOff <= maxBroken
}

// atEach is the number of objects between two notes of progress.
const atEach = 50

// progress notes how many objects have travelled, and the first broken one.
func (l *lap) progress(j *journey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	breaks := slices.ContainsFunc(j.facts, func(f Fact) bool { return f.Class == term.Violation })
	if breaks && !l.broken {
		l.broken = true
		l.config.Note(fmt.Sprintf("features %s: an object came back broken; going on with the others", l.plan.name))
	}
	if !j.done {
		return
	}
	if l.travelled++; l.travelled%atEach == 0 {
		l.config.Note(fmt.Sprintf("features %s: %d of %d objects have travelled", l.plan.name, l.travelled, l.config.Count))
	}
}

// bury returns a dead server's error instead of that of a request without an answer, and
// reports the death also if journeys ended with answers that it may have given while it
// died.
func (l *lap) bury(ctx context.Context, err error, journeys []*journey) error {
	return bury(ctx, err, doubtful(journeys), l.releases[term.Old].Process, l.releases[term.New].Process)
}

// enough refuses a number of objects that would leave out a kind, or a version of one
// through one of the releases: the run could not show that those come back.
func (f *fuzzer) enough(releases map[term.Role]*Release) error {
	if f.config.Only != nil {
		return nil
	}
	need := 0
	for i, kind := range f.kinds {
		if all := len(Places(kind, releases)); all > 0 {
			need = max(need, (all-1)*len(f.kinds)+i+1) // the order in which traveller lets them take turns
		}
	}
	if f.config.Count >= need {
		return nil
	}
	return &servers.RequestError{Err: fault.Optionf("{count} %d: too few for each kind to be created in every version through both releases: make %d or more, or name fewer kinds",
		f.config.Count, need)}
}

// traveller returns the traveller for an object. The number decides at which place it
// starts. It returns nil if neither release serves the kind in this lap, as when a gate
// adds it.
func (l *lap) traveller(o Object) *Traveller {
	all := Places(o.Kind, l.releases)
	if len(all) == 0 {
		return nil
	}
	return l.travellerFrom(all[o.Number%len(all)], o)
}

// travellerFrom returns the traveller for an object that is created at a place; nil if the
// lap has no such place.
func (l *lap) travellerFrom(origin Place, o Object) *Traveller {
	all := Places(o.Kind, l.releases)
	if !slices.ContainsFunc(all, func(at Place) bool { return at.Role == origin.Role && at.APIVersion() == origin.APIVersion() }) {
		return nil
	}
	return &Traveller{
		Trip:   Trip{Releases: l.releases, Kind: o.Kind, Origin: origin, Places: all, Name: fmt.Sprintf("fuzz-%d", o.Number)},
		Naming: objects.NamingOf(l.example(origin)), Turns: l.turns,
	}
}

// one generates an object, repairs it until its origin accepts it, and sends it on. After
// an error the journey holds what was seen until then.
func (l *lap) one(ctx context.Context, j *journey) error {
	t := j.traveller
	r := l.releases[t.Origin.Role]
	kind, ok := r.Published(t.Origin)
	if !ok {
		return fmt.Errorf("%s: publishes no schema of %s in %s", r.Version, t.Origin.Resource.Kind, t.Origin.APIVersion())
	}
	draft := objects.New(objects.Request{
		Kind: kind, Seed: l.config.Seed, Number: j.number, Targets: l.targetsOf(Object{t.Kind, j.number}, t.Origin), Example: l.example(t.Origin),
	})
	for {
		j.object, j.repairs = draft.Object(), draft.Repairs()
		_, a, err := t.Create(ctx, j.object)
		if err != nil {
			return err
		}
		if j.accepted = a.Succeeded(); j.accepted {
			break
		}
		if a.Panic != nil {
			j.facts = append(j.facts, t.TakePanics(runtime.DeepCopyJSON(j.object))...)
		}
		j.refusal = refusal(a)
		if !draft.Repair(a.Status) {
			j.object = draft.Object() // as far as it was repaired
			return nil
		}
	}
	facts, err := t.Travel(ctx, j.object, t.Places)
	j.facts = append(j.facts, facts...)
	return err
}

// refusal returns the text of a refusal without the name of the object's copy.
func refusal(a client.Answer) string {
	if a.Panic != nil {
		return fmt.Sprintf("the server panicked: %s%s", a.Panic.Value, PanicPlace(a.Panic))
	}
	if a.Code == http.StatusUnprocessableEntity && a.Status != nil && a.Status.Details != nil && len(a.Status.Details.Causes) > 0 {
		cause := a.Status.Details.Causes[0]
		return cause.Field + ": " + cause.Message
	}
	return fmt.Sprintf("%d: %s", a.Code, Words(a))
}

// conclude counts the objects by outcome, and joins equal facts into findings. It does so
// however the lap ended, and returns what ended it.
func (l *lap) conclude(ctx context.Context, all []*journey, ended error) error {
	l.ended = ended
	journeys, underway := keep(all, ended)
	told := Lap{Features: l.plan.name, Followed: l.followed(), Underway: underway}
	for _, kind := range l.kinds {
		if k := l.count(kind, journeys); l.config.Only == nil || k.Objects+k.Unfinished > 0 {
			told.Kinds = append(told.Kinds, k)
		}
	}
	if l.config.Only != nil && len(journeys) > 0 {
		told.Object = journeys[0].object
	}
	l.result.Laps = append(l.result.Laps, told)
	l.cover(journeys)
	l.result.Unsent, l.result.Fresh = l.coverage.unsent()
	for _, j := range journeys {
		seen := map[string]bool{}
		for _, f := range j.facts {
			key := j.traveller.Kind + " " + f.Key()
			if seen[key] {
				continue
			}
			seen[key] = true
			l.tell(ctx, key, j, f)
		}
	}
	return l.ended
}

// followed returns the gates of both releases that depend on the lap's.
func (l *lap) followed() []string {
	var all []string
	for _, r := range l.releases {
		all = append(all, r.Followed...)
	}
	return SortedUnique(all)
}

func (l *lap) count(kind string, journeys []*journey) KindLap {
	k := KindLap{Kind: kind}
	refusals := map[string]int{}
	for _, j := range journeys {
		if j.traveller.Kind != kind || !j.done {
			continue
		}
		k.Objects++
		k.Requests += j.traveller.Requests
		if j.broken != "" {
			k.Broken = append(k.Broken, fmt.Sprintf("#%d: %s", j.number, j.broken))
		}
		if !j.accepted {
			if j.broken == "" {
				refusals[j.refusal]++
			}
			continue
		}
		k.Accepted++
		if j.repairs > 0 {
			k.Fixed++
		}
	}
	for _, at := range Places(kind, l.releases) {
		k.Places = append(k.Places, l.nameOf(at))
	}
	for _, o := range l.objects() {
		if o.Kind == kind && len(k.Places) > 0 {
			k.Unfinished++
		}
	}
	k.Unfinished = max(0, k.Unfinished-k.Objects)
	for text := range refusals {
		k.Refusals = append(k.Refusals, text)
	}
	slices.SortFunc(k.Refusals, func(a, b string) int {
		return cmp.Or(refusals[b]-refusals[a], cmp.Compare(a, b))
	})
	k.Refusals = k.Refusals[:min(len(k.Refusals), 5)]
	return k
}

// tell adds a fact to the findings. The first of each kind gets its sentence, and is shrunk
// unless it is an impact. A violation that does not show again when the object travels
// alone had another cause.
func (l *lap) tell(ctx context.Context, key string, j *journey, f Fact) {
	if i, known := l.byKey[key]; known {
		found := &l.result.Findings[i]
		found.Objects++
		if !slices.Contains(found.Laps, l.plan.name) {
			found.Laps = append(found.Laps, l.plan.name)
		}
		return
	}
	small := shrunk{object: j.object, fact: f, shown: true}
	if f.Object != nil {
		small.object = f.Object
	}
	if f.Class == term.Violation {
		small = l.smallest(ctx, j, small.object, f)
	}
	if !small.shown {
		told := &l.result.Laps[len(l.result.Laps)-1]
		told.Once = append(told.Once, l.sentence(j, f))
		return
	}
	f = small.fact
	l.byKey[key] = len(l.result.Findings)
	l.result.Findings = append(l.result.Findings, Finding{
		Check: f.Check, Class: f.Class, Rule: f.Rule(), Outcome: f.Diff.Outcome, Cause: f.Cause, Kind: j.traveller.Kind, Path: Pattern(f.Diff.Path),
		Through: l.nameOf(f.Through), Laps: []string{l.plan.name}, Objects: 1, First: j.number,
		Message: l.sentence(j, f), Object: small.object, Larger: small.larger, Panic: f.Panic, origin: j.traveller.Origin,
	})
}
