package try

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/search"
	"github.com/skewsim/skewsim/sim/published"
)

// Config says which server makes which objects.
type Config struct {
	// Server is a server of the release; it has every API and gate that the targets need.
	Server *Server
	// Release is what the server publishes: its documents and resources are required.
	Release published.Release
	// Examples returns objects of a resource that servers accept, best first; nil: none is
	// known.
	Examples func(apiVersion, plural string) []map[string]any
	Hints    []objects.Hint
	// Namespace receives namespaced objects. It is created if it does not exist.
	Namespace string
	// Other configures the other release, beside which the objects are used: an object that it refuses for
	// other fields than the target is taken only where no better one is found. nil: there is none.
	Other *Config
	// Custom reports that definitions define the kinds: no controller acts on their objects, whatever their group.
	Custom bool
	// Made is called after each target, by several goroutines at the same time. nil: no progress is told.
	Made func()
}

// atOnce is how many objects are sent at the same time.
const atOnce = 8

// ErrTimeUp is the cause of a context that ends the making of objects, and nothing else: what was made until then is
// used, and the rest has this reason.
var ErrTimeUp = errors.New("the time for making objects was over: give more with --timeout, or choose kinds with --kind")

// IsTimeUp reports whether a context has ended because of [ErrTimeUp].
func IsTimeUp(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrTimeUp) }

// Specimens returns a specimen for each target, in the order of the targets. After [ErrTimeUp] it returns those that
// it has, and the others without an object.
func Specimens(ctx context.Context, c Config, targets []Target) ([]Specimen, error) {
	e, all := newExerciser(c), make([]Specimen, len(targets))
	err := e.makeNamespace(ctx)
	if err == nil && e.other != nil {
		err = e.other.makeNamespace(ctx)
	}
	if err != nil && !IsTimeUp(ctx) {
		return nil, err
	}
	e.pool, e.teachers = search.PoolOf(e.known()), teachersOf(targets)
	defer e.clean(context.WithoutCancel(ctx))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, i := range inOrder(targets, e.teachers) {
		t := targets[i]
		group.Go(func() error {
			defer e.ends(t, i)
			return fault.Guard(func() error {
				if working.Err() != nil && !IsTimeUp(working) {
					return working.Err()
				}
				var err error
				all[i], err = e.specimen(working, t, i)
				if c.Made != nil {
					c.Made()
				}
				if IsTimeUp(working) {
					// What it was answered last may be no answer.
					all[i], err = unmade(t), nil
				}
				return errors.Join(err, c.Server.Err())
			})
		})
	}
	return all, group.Wait()
}

// unmade is the specimen of a target for which there was no time.
func unmade(t Target) Specimen { return Specimen{Target: t, Reason: ErrTimeUp.Error()} }

// exerciser reaches the targets of one server.
type exerciser struct {
	Config
	pool     *search.Pool
	teachers map[string]*teacher
	other    *exerciser // of the other release; nil: there is none

	mu        sync.Mutex
	kinds     map[string]*kind
	documents map[string]documentOf
	needed    map[string]*secondObject // by what they are
}

// secondObject is an object that a target needs, which is created once.
type secondObject struct {
	mu   sync.Mutex
	made bool
	err  error
}

func newExerciser(c Config) *exerciser {
	e := &exerciser{Config: c, kinds: map[string]*kind{}, needed: map[string]*secondObject{}}
	if c.Other != nil {
		e.other = newExerciser(*c.Other)
	}
	return e
}

// specimen reaches the target with an index, or says why it cannot. An error ends the work as a whole.
func (e *exerciser) specimen(ctx context.Context, t Target, index int) (Specimen, error) {
	s := Specimen{Target: t}
	k, reason := e.kindOf(t.APIVersion, t.Kind)
	if reason != "" {
		s.Reason = reason
		return s, nil
	}
	hints := e.hintsFor(t)
	for _, h := range hints {
		s.Needs, s.Gates = append(s.Needs, h.Needs...), append(s.Gates, h.Gates...)
	}
	if err := e.makeNeeded(ctx, s.Needs); err != nil {
		if ctx.Err() != nil {
			return s, err
		}
		s.Reason = "a second object that the value needs: " + err.Error()
		return s, nil
	}
	if e.other != nil {
		_ = e.other.makeNeeded(ctx, s.Needs) // without them the other release refuses the object, and that is no worse than not to ask
	}
	var err error
	if sub := k.subresourceOf(t.Path); sub != "" {
		err = e.throughUpdate(ctx, k, &s, hints, sub)
	} else if err = e.onCreate(ctx, k, &s, hints); err == nil && s.Object == nil && mayUpdate(k, s) {
		err = e.onUpdate(ctx, k, &s, hints)
	}
	switch {
	case err == nil && t.Twice:
		err = repeat(ctx, e, k, &s)
	case err == nil:
		err = e.lengthen(ctx, k, &s)
	}
	if err == nil && t.Filled && s.Object != nil {
		err = e.fillTaught(ctx, k, &s, index)
	}
	return s, err
}

// known returns the examples of all resources.
func (e *exerciser) known() (all []map[string]any) {
	if e.Examples == nil {
		return nil
	}
	for _, r := range e.Release.Resources {
		all = append(all, e.Examples(r.APIVersion, r.Plural)...)
	}
	return all
}

// hintsFor returns the hints that fit a target, those for its path first.
func (e *exerciser) hintsFor(t Target) (all []objects.Hint) {
	for _, h := range e.Hints {
		if h.Fits(t.APIVersion, t.Kind, t.Path) {
			all = append(all, h)
		}
	}
	slices.SortStableFunc(all, func(a, b objects.Hint) int { return len(b.Path) - len(a.Path) })
	return all
}

// onCreate reaches a target with an object as it is created.
func (e *exerciser) onCreate(ctx context.Context, k *kind, s *Specimen, hints []objects.Hint) error {
	return e.reach(ctx, targetSearch{
		kind: k, specimen: s, hints: hints, examples: k.examples, writer: e.creates(k),
		wear: func(object map[string]any) map[string]any { return object },
	})
}

// ofCreation finds refusals and drops that an update may not meet.
var ofCreation = regexp.MustCompile(`(?i)creat|does not show`)

// mayUpdate reports whether an update may reach what a create does not.
func mayUpdate(k *kind, s Specimen) bool {
	return len(k.updates(s.Path)) > 1 || ofCreation.MatchString(s.Reason)
}

// onUpdate reaches a target that a server refuses or clears on create: by an update of the
// object, or of a subresource that is named like a part of the path.
func (e *exerciser) onUpdate(ctx context.Context, k *kind, s *Specimen, hints []objects.Hint) error {
	reason := s.Reason
	for _, sub := range k.updates(s.Path) {
		if err := e.throughUpdate(ctx, k, s, hints, sub); err != nil || s.Object != nil {
			return err
		}
	}
	s.Reason = reason
	return nil
}

// origin returns where the object of a search came from.
func origin(search *search.Search) term.ObjectOrigin {
	switch {
	case search.FromHint():
		return term.OriginHint
	case search.FromExample():
		return term.OriginFixture
	case search.Repairs() > 0:
		return term.OriginRepaired
	}
	return term.OriginGenerated
}

// makeNeeded creates second objects. One that exists already is good.
func (e *exerciser) makeNeeded(ctx context.Context, all []map[string]any) error {
	for _, object := range all {
		if err := e.makeOnce(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

func (e *exerciser) makeOnce(ctx context.Context, object map[string]any) error {
	apiVersion, _ := object["apiVersion"].(string)
	name, _ := object["kind"].(string)
	metadata, _ := object["metadata"].(map[string]any)
	key := fmt.Sprint(apiVersion, " ", name, " ", metadata["namespace"], " ", metadata["name"])
	k, reason := e.kindOf(apiVersion, name)
	if reason != "" {
		return fmt.Errorf("%s", reason)
	}
	second := secondOf(e, key)
	second.mu.Lock()
	defer second.mu.Unlock()
	if second.made {
		return second.err
	}
	err := e.create(ctx, k, object)
	if ctx.Err() == nil { // else the next one tries it
		second.made, second.err = true, err
	}
	return err
}

// secondOf returns the second object of a key.
func secondOf(e *exerciser, key string) *secondObject {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.needed[key] == nil {
		e.needed[key] = &secondObject{}
	}
	return e.needed[key]
}
