package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// trial has each release read, on a scratch store, every stored value that it
// has not shown while it served: so what a release makes of a value is decided
// for each pair of them, whatever the journey was. Servers start only for a
// release that has something to decide.
func (w *walker) trial(ctx context.Context, s plan.Step) (string, error) {
	if err := w.catchUp(ctx); err != nil {
		return "", err
	}
	outcomes := make([]string, 2)
	for i, role := range []term.Role{term.Old, term.New} {
		values := w.undecided(role)
		outcomes[i] = fmt.Sprintf("%s: %d values", role, len(values))
		if len(values) > 0 {
			w.convoy.bring(newTrials(w, s.Number, role, values))
		}
	}
	_, err := w.convoy.meet(ctx, w, "trials", func(ctx context.Context) (string, error) { return "", w.convoy.tryAll(ctx) })
	return strings.Join(outcomes, ", "), err
}

// bring has values tried beside those of the other runs.
func (c *convoy) bring(t *trials) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due[t.role] = append(c.due[t.role], t)
	slices.SortStableFunc(c.due[t.role], func(a, b *trials) int {
		return slices.Index(c.members, a.w) - slices.Index(c.members, b.w)
	})
}

// tryAll has both releases try what the runs have brought.
func (c *convoy) tryAll(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, role := range []term.Role{term.Old, term.New} {
		if len(c.due[role]) > 0 {
			group.Go(func() error {
				return guarded(func() error { return newBench(c, role, c.due[role]).work(ctx) })
			})
		}
	}
	return group.Wait()
}

// undecided are the stored values that a release should be able to read and has
// not shown, in the order in which they were stored.
func (w *walker) undecided(role term.Role) []value {
	var names []string
	for _, c := range w.config.Plan.Copies {
		if _, serves := w.reached(role, w.config.Plan.Manifests[c.Manifest]); serves {
			names = append(names, c.Name)
		}
	}
	return w.memory.unshown(role, names)
}

// trials are those of one release.
type trials struct {
	w    *walker
	step int
	role term.Role
	keys []*tried
}

// tried is a key with the values that it held, one after the other.
type tried struct {
	values []value
	holds  int // which of them the scratch store holds
	unread int // which of them could not be read; -1: none
}

func newTrials(w *walker, step int, role term.Role, values []value) *trials {
	t := &trials{w: w, step: step, role: role}
	known := map[string]*tried{}
	for _, v := range values {
		if known[v.key] == nil {
			known[v.key] = &tried{unread: -1}
			t.keys = append(t.keys, known[v.key])
		}
		known[v.key].values = append(known[v.key].values, v)
	}
	for _, k := range t.keys {
		k.holds = len(k.values) - 1
	}
	return t
}

// fill puts the value of each key that is to be there into the store.
func (t *trials) fill(ctx context.Context, l *laboratory) error {
	for _, k := range t.keys {
		if err := l.put(ctx, &k.values[k.holds]); err != nil {
			return err
		}
	}
	return nil
}

// read has every value read, and leaves those that could not be in the store.
// It tells whether one of them was not there before.
func (t *trials) read(ctx context.Context, l *laboratory) (later bool, err error) {
	before := make([]int, len(t.keys))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i, k := range t.keys {
		before[i] = k.holds
		group.Go(func() error { return guarded(func() error { return k.read(ctx, l) }) })
	}
	err = group.Wait()
	for i, k := range t.keys {
		later = later || k.unread >= 0 && k.holds != before[i]
	}
	return later, err
}

// read has the key's values read, the one that is there first.
func (k *tried) read(ctx context.Context, l *laboratory) error {
	first := k.holds
	for i := range k.values {
		which := (first + i) % len(k.values)
		ok, err := k.readOne(ctx, l, which)
		if err != nil {
			return err
		}
		if !ok && k.unread < 0 {
			k.unread = which
		}
	}
	stays := first
	if k.unread >= 0 {
		stays = k.unread
	}
	return k.hold(ctx, l, stays)
}

func (k *tried) readOne(ctx context.Context, l *laboratory, which int) (bool, error) {
	if err := k.hold(ctx, l, which); err != nil {
		return false, err
	}
	return l.get(ctx, k.values[which])
}

func (k *tried) hold(ctx context.Context, l *laboratory, which int) error {
	if k.holds == which {
		return nil
	}
	k.holds = which
	return l.put(ctx, &k.values[which])
}

// survey LISTs and WATCHes every kind of which the store holds values.
func (t *trials) survey(ctx context.Context, l *laboratory) error {
	for _, served := range t.w.known[t.role].release.Resources {
		var names []string
		for _, k := range t.keys {
			if name := k.values[0].copy; t.w.ours(t.role)(name, served) {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		slices.Sort(names)
		for _, form := range term.ListForms() {
			if err := l.list(ctx, served, form.Word, names); err != nil {
				return err
			}
		}
		if err := l.watch(ctx, served, names); err != nil {
			return err
		}
	}
	return nil
}

// record writes down one trial of the release.
func (t *trials) record(told history.Trial) error {
	told.Step, told.Role = t.step, t.role
	return t.w.record(history.Record{Trial: &told})
}
