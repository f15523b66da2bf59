package observe

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// trials are the values of one run that one release is to read.
type trials struct {
	of   *Values
	step int
	role term.Role
	keys []*heldKey
}

// heldKey is a key with the values that it held, one after the other.
type heldKey struct {
	values []Value
	holds  int // index of the value that the scratch store holds
	unread int // index of the value that could not be read; -1: none
}

func newTrials(of *Values, step int, role term.Role, values []Value) *trials {
	t := &trials{of: of, step: step, role: role}
	known := map[string]*heldKey{}
	for _, v := range values {
		if known[v.Key] == nil {
			known[v.Key] = &heldKey{unread: -1}
			t.keys = append(t.keys, known[v.Key])
		}
		known[v.Key].values = append(known[v.Key].values, v)
	}
	for _, k := range t.keys {
		k.holds = len(k.values) - 1
	}
	return t
}

// fill puts the current value of each key into the store.
func (t *trials) fill(ctx context.Context, l *reader) error {
	for _, k := range t.keys {
		if err := l.put(ctx, &k.values[k.holds]); err != nil {
			return err
		}
	}
	return nil
}

// read has every value read, and leaves unreadable ones in the store. It reports whether
// one of them was not there before.
func (t *trials) read(ctx context.Context, l *reader) (later bool, err error) {
	before := make([]int, len(t.keys))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fleet.Workers)
	for i, k := range t.keys {
		before[i] = k.holds
		group.Go(func() error { return fault.Guard(func() error { return k.read(ctx, l) }) })
	}
	err = group.Wait()
	for i, k := range t.keys {
		later = later || k.unread >= 0 && k.holds != before[i]
	}
	return later, err
}

// read has the key's values read, the one in the store first.
func (k *heldKey) read(ctx context.Context, l *reader) error {
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

func (k *heldKey) readOne(ctx context.Context, l *reader, which int) (bool, error) {
	if err := k.hold(ctx, l, which); err != nil {
		return false, err
	}
	return l.get(ctx, k.values[which])
}

func (k *heldKey) hold(ctx context.Context, l *reader, which int) error {
	if k.holds == which {
		return nil
	}
	k.holds = which
	return l.put(ctx, &k.values[which])
}

// survey LISTs and WATCHes every kind with values in the store.
func (t *trials) survey(ctx context.Context, l *reader) error {
	for _, served := range t.of.Known.ByRole[t.role].Said.Resources {
		var names []string
		for _, k := range t.keys {
			if name := k.values[0].Copy; t.of.Known.Ours(t.role)(name, served) {
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
	return t.of.Recorder.Record(history.Record{Trial: &told})
}
