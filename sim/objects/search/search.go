package search

import (
	"cmp"
	"container/heap"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/sim/objects"
)

// Request says which field an object should have.
type Request struct {
	Kind objects.Kind
	// Path is the field, as Kind.Fields names it; "" asks for any valid object of the kind.
	Path string
	// Value is the value of the field; nil: any that differs from the default.
	Value any
	// Alike asks for any value of the type of Value.
	Alike bool
	// Examples are objects of the kind that servers accept, best first; nil: none is known.
	Examples []map[string]any
	// Hints are those that fit the field.
	Hints []objects.Hint
	// Pool is what objects of other kinds show; nil: nothing.
	Pool *Pool
	// OnlyExamples says that no object is made of required members alone: the object exists.
	OnlyExamples bool
}

// How many objects one aim sends before it is given up. Of all searches between Kubernetes 1.33 and
// 1.37, the longest that ended with the field sent 64; with an object that exists, 7; after a server
// had accepted an object and dropped the field, 13 more.
const (
	maxAims         = 90
	maxOfExisting   = 24
	maxAfterDropped = 24
)

// Search is the search for the smallest valid object that has one field. It starts from
// examples and from required members, and follows what a server says about each object; if a
// repair leads nowhere, it continues from another one. The answers alone determine which
// objects it sends.
type Search struct {
	*placer
	waiting attempts
	now     *attempt
	seen    map[string]bool
	added   int
	repairs int
	most    int // repairs
	// stubborn is how many refusals in a row had the same complaint.
	stubborn map[string]int
}

// attempt is an object that was not sent yet, or the one that was sent last.
type attempt struct {
	object map[string]any
	at     objects.Location // the target; nil: none
	made   objects.Location // the outermost container that was added for the target
	base   int              // the index of its example; -1: none
	hinted bool
	cost   float64
	order  int
	// from and changes make the object; they are made when its turn comes.
	from    *attempt
	changes []change
	// blamed are the fields that the server named in the object before.
	blamed map[string]bool
}

// New begins a search. False: the kind has no such field, or no value can be generated.
func New(r Request) (*Search, bool) {
	steps, ok := stepsOf(r.Path)
	if !ok {
		return nil, false
	}
	s := &Search{placer: &placer{kind: r.Kind, definitions: schemas{r.Kind.Definitions(), &room{maxValues}}, steps: steps, value: r.Value, hints: r.Hints, pool: r.Pool}, seen: map[string]bool{}, stubborn: map[string]int{}, most: maxAims}
	if r.OnlyExamples {
		s.most = maxOfExisting
	}
	if r.Alike {
		s.value, s.like = nil, r.Value
	}
	if text, is := s.value.(string); is { // differences name values as text
		if typed, ok := s.typed(text); ok {
			s.value = typed
		}
	}
	for _, start := range s.starts(r) {
		s.add(start)
	}
	return s, s.next()
}

// Object returns the object to send.
func (s *Search) Object() map[string]any { return s.now.object }

// Held returns the location of the field in the object.
func (s *Search) Held() objects.Location { return s.now.at }

// Repairs returns how many objects were given up.
func (s *Search) Repairs() int { return s.repairs }

// FromExample reports whether the object was built on an example.
func (s *Search) FromExample() bool { return s.now.base >= 0 }

// FromHint reports whether the object was built on a hint.
func (s *Search) FromHint() bool { return s.now.hinted }

// Repair passes a server's refusal of the object, which may be nil, and moves on to the next
// object. False: no object is left, or too many were sent.
func (s *Search) Repair(refusal *metav1.Status) bool {
	s.expand(refusal)
	return s.advance()
}

// Dropped moves on from an object that the server accepted, and whose field or value the
// answer does not show.
func (s *Search) Dropped() bool {
	s.addValues(s.now, 0)
	s.most = min(s.most, s.repairs+maxAfterDropped)
	return s.advance()
}

func (s *Search) advance() bool {
	s.repairs++
	return s.repairs < s.most && !s.isStuck() && s.next()
}

// maxStubborn is after how many refusals with the same complaint a search is given up.
const maxStubborn = 60

// isStuck reports whether no object of many was spared a complaint.
func (s *Search) isStuck() bool {
	for _, n := range s.stubborn {
		if n >= maxStubborn {
			return true
		}
	}
	return false
}

// note counts the complaints that no object of late was spared.
func (s *Search) note(blamed map[string]bool) {
	for key := range s.stubborn {
		if !blamed[key] {
			delete(s.stubborn, key)
		}
	}
	for key := range blamed {
		s.stubborn[key]++
	}
}

// Bystanders returns copies of the object without the field, the smallest difference first;
// none if the kind requires the field.
func (s *Search) Bystanders() (all []map[string]any) {
	for at := s.now.at; len(at) > 1; at = at[:len(at)-1] {
		if smaller, ok := s.kind.Without(s.now.object, at); ok {
			all = append(all, smaller)
		}
		if len(at) <= len(s.now.made) {
			break
		}
	}
	return all
}

// add queues an attempt.
func (s *Search) add(t *attempt) {
	s.added++
	t.order = s.added
	heap.Push(&s.waiting, t)
}

// next takes the likeliest attempt whose object was not sent before.
func (s *Search) next() bool {
	for len(s.waiting) > 0 {
		t := heap.Pop(&s.waiting).(*attempt)
		if !t.make() {
			continue
		}
		if key := objects.JSONText(t.object); !s.seen[key] {
			s.seen[key] = true
			s.now = t
			return true
		}
	}
	return false
}

// attempts are ordered by cost, then by age.
type attempts []*attempt

func (w attempts) Len() int      { return len(w) }
func (w attempts) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w attempts) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(w[i].cost, w[j].cost), cmp.Compare(w[i].order, w[j].order)) < 0
}
func (w *attempts) Push(x any) { *w = append(*w, x.(*attempt)) }
func (w *attempts) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

// changed returns an attempt with changes to be made.
func (t *attempt) changed(cost float64, changes ...change) *attempt {
	next := *t
	next.from, next.changes, next.object = t, changes, nil
	next.cost += cost + costOfDepth
	return &next
}

// make makes the changes that can be made; false if none can.
func (t *attempt) make() bool {
	if t.from == nil {
		return true
	}
	t.object = objects.Copy(t.from.object)
	t.at, t.made = slices.Clone(t.from.at), slices.Clone(t.from.made)
	made := false
	for _, change := range t.changes {
		made = change(t) || made
	}
	t.from, t.changes = nil, nil
	return made
}

// change changes the object of an attempt; false if it cannot.
type change func(t *attempt) bool

// set returns the change that gives a place a value.
func set(at objects.Location, v any) change {
	return func(t *attempt) bool {
		if len(at) == 0 || objects.IsIdentity(at) {
			return false
		}
		if _, has := objects.Get(t.object, at[:len(at)-1]); !has {
			return false
		}
		objects.Put(t.object, at, copyValue(v))
		return true
	}
}

// renamed returns the change that moves an entry of a map to another key.
func renamed(at objects.Location, key string) change {
	return func(t *attempt) bool {
		container, _ := objects.Get(t.object, at[:len(at)-1])
		entries, is := container.(map[string]any)
		last := at[len(at)-1]
		if _, has := entries[key]; !is || has {
			return false
		}
		v, has := entries[last]
		if !has {
			return false
		}
		entries[key] = v
		delete(entries, last)
		for _, l := range []objects.Location{t.at, t.made} {
			if hasPrefix(l, at) {
				l[len(at)-1] = key
			}
		}
		return true
	}
}

// without returns the change that drops a place, which must not hold the target. Indices of
// the target move up with their list.
func without(at objects.Location) change {
	return func(t *attempt) bool {
		if len(at) == 0 || objects.IsIdentity(at) || t.onWay(at) {
			return false
		}
		inList := isElement(t.object, at)
		if !objects.Drop(t.object, at) {
			return false
		}
		if inList {
			t.at, t.made = movedUp(t.at, at), movedUp(t.made, at)
		}
		return true
	}
}

// onWay reports whether a place is the target's, or holds it.
func (t *attempt) onWay(at objects.Location) bool {
	return len(t.at) > 0 && len(at) <= len(t.at) && slices.Equal(t.at[:len(at)], at)
}

// isWithinTarget reports whether a place is part of the target's value.
func (t *attempt) isWithinTarget(at objects.Location) bool {
	return len(t.at) > 0 && len(at) >= len(t.at) && slices.Equal(at[:len(t.at)], t.at)
}
