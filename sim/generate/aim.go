package generate

import (
	"cmp"
	"container/heap"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AimRequest says which field an object should have.
type AimRequest struct {
	Kind Kind
	// Path is the field, as Kind.Fields names it; "" asks for any valid object of the kind.
	Path string
	// Value is the value of the field; nil: any that differs from the default.
	Value any
	// Examples are objects of the kind that servers accept, best first; nil: none is known.
	Examples []map[string]any
	// Hints are those that fit the field.
	Hints []Hint
}

// mostAims is how many objects one aim sends before it is given up.
const mostAims = 90

// Aim is the search for the smallest valid object that has one field. It starts from
// examples and from required members, and follows what a server says about each object; if a
// repair leads nowhere, it continues from another one. The answers alone determine which
// objects it sends.
type Aim struct {
	*placer
	waiting attempts
	now     *attempt
	seen    map[string]bool
	added   int
	repairs int
}

// attempt is an object that was not sent yet, or the one that was sent last.
type attempt struct {
	object map[string]any
	at     Location // the target; nil: none
	made   Location // the outermost container that was added for the target
	base   int      // the index of its example; -1: none
	hinted bool
	cost   float64
	order  int
	depth  int
	// blamed are the fields that the server named in the object before.
	blamed map[string]bool
}

// NewAim begins a search. False: the kind has no such field, or no value can be generated.
func NewAim(r AimRequest) (*Aim, bool) {
	steps, ok := stepsOf(r.Path)
	if !ok {
		return nil, false
	}
	a := &Aim{placer: &placer{kind: r.Kind, definitions: r.Kind.definitions, steps: steps, value: r.Value, hints: r.Hints}, seen: map[string]bool{}}
	for _, start := range a.starts(r) {
		a.add(start)
	}
	return a, a.next()
}

// Object returns the object to send.
func (a *Aim) Object() map[string]any { return a.now.object }

// Held returns the location of the field in the object.
func (a *Aim) Held() Location { return a.now.at }

// Repairs returns how many objects were given up.
func (a *Aim) Repairs() int { return a.repairs }

// FromExample reports whether the object was built on an example.
func (a *Aim) FromExample() bool { return a.now.base >= 0 }

// FromHint reports whether the object was built on a hint.
func (a *Aim) FromHint() bool { return a.now.hinted }

// Value returns the value of the field in the object.
func (a *Aim) Value() any {
	v, _ := get(a.now.object, a.now.at)
	return v
}

// Repair passes a server's refusal of the object, which may be nil, and moves on to the next
// object. False: there is none left, or too many were sent.
func (a *Aim) Repair(refusal *metav1.Status) bool {
	a.expand(refusal)
	return a.advance()
}

// Dropped moves on from an object that the server accepted, and whose field or value the
// answer does not show.
func (a *Aim) Dropped() bool {
	a.addValues(a.now, nil, 0)
	return a.advance()
}

func (a *Aim) advance() bool {
	a.repairs++
	return a.repairs < mostAims && a.next()
}

// Bystanders returns copies of the object without the field, the smallest difference first;
// none if the kind requires the field.
func (a *Aim) Bystanders() (all []map[string]any) {
	for at := a.now.at; len(at) > 1; at = at[:len(at)-1] {
		if smaller, ok := a.kind.Without(a.now.object, at); ok {
			all = append(all, smaller)
		}
		if len(at) <= len(a.now.made) {
			break
		}
	}
	return all
}

// add queues an attempt, unless an equal object was queued before.
func (a *Aim) add(t *attempt) {
	key := jsonText(t.object)
	if t == nil || a.seen[key] {
		return
	}
	a.seen[key] = true
	a.added++
	t.order = a.added
	heap.Push(&a.waiting, t)
}

func (a *Aim) next() bool {
	if len(a.waiting) == 0 {
		return false
	}
	a.now = heap.Pop(&a.waiting).(*attempt)
	return true
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

// changed returns a copy of an attempt with changes made to it; nil if one cannot be made.
func (t *attempt) changed(cost float64, changes ...change) *attempt {
	next := *t
	next.object = copyOf(t.object)
	next.at, next.made = slices.Clone(t.at), slices.Clone(t.made)
	next.cost, next.depth = t.cost+cost+costOfDepth, t.depth+1
	for _, change := range changes {
		if !change(&next) {
			return nil
		}
	}
	return &next
}

// change changes the object of an attempt; false if it cannot.
type change func(t *attempt) bool

// set returns the change that gives a place a value.
func set(at Location, v any) change {
	return func(t *attempt) bool {
		if len(at) == 0 || isIdentity(at) {
			return false
		}
		if _, has := get(t.object, at[:len(at)-1]); !has {
			return false
		}
		put(t.object, at, copyValue(v))
		return true
	}
}

// without returns the change that drops a place, which must not hold the target. Indices of
// the target move up with their list.
func without(at Location) change {
	return func(t *attempt) bool {
		if len(at) == 0 || isIdentity(at) || t.onWay(at) {
			return false
		}
		inList := isElement(t.object, at)
		if !drop(t.object, at) {
			return false
		}
		if inList {
			t.at, t.made = movedUp(t.at, at), movedUp(t.made, at)
		}
		return true
	}
}

// onWay reports whether a place is the target's, or holds it.
func (t *attempt) onWay(at Location) bool {
	return len(t.at) > 0 && len(at) <= len(t.at) && slices.Equal(t.at[:len(at)], at)
}

// isWithinTarget reports whether a place is part of the target's value.
func (t *attempt) isWithinTarget(at Location) bool {
	return len(t.at) > 0 && len(at) >= len(t.at) && slices.Equal(at[:len(t.at)], t.at)
}
