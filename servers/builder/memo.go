package builder

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/skewsim/skewsim/servers/fault"
)

// memo remembers what was made, and what could not be.
type memo struct {
	making sync.Mutex // of what is made just now
	made   sync.Mutex // of what was made, and of failed
	failed []failure
}

// failure is what could not be made.
type failure struct {
	key   any // of once
	err   error
	final bool // it is not tried again, whoever asks for it
}

// once returns what was made for a key, or makes it, one thing at a time. What fails is
// tried again, until it is given up. A caller that asks for what was made does not wait for
// what is being made.
func once[K comparable, V any](m *memo, made *map[K]V, key K, do func() (V, error)) (V, error) {
	there := func() (V, bool) {
		m.made.Lock()
		defer m.made.Unlock()
		v, ok := (*made)[key]
		return v, ok
	}
	if v, ok := there(); ok {
		return v, nil
	}
	m.making.Lock()
	defer m.making.Unlock()
	if v, ok := there(); ok {
		return v, nil
	}
	if err := m.gaveUp(key); err != nil {
		var none V
		return none, err
	}
	v, err := do()
	m.made.Lock()
	defer m.made.Unlock()
	if err == nil {
		*made = with(*made, key, v)
	}
	m.note(key, err)
	return v, err
}

// with is a map with one more entry; nil is an empty one.
func with[K comparable, V any](all map[K]V, key K, v V) map[K]V {
	if all == nil {
		all = map[K]V{}
	}
	all[key] = v
	return all
}

// note keeps what making something resulted in. What was interrupted resulted in nothing,
// and what is not available will not be by asking again. The caller holds made.
func (m *memo) note(key any, err error) {
	m.failed = slices.DeleteFunc(m.failed, func(f failure) bool { return f.key == key })
	if err != nil && !errors.Is(err, context.Canceled) {
		m.failed = append(m.failed, failure{key: key, err: err, final: fault.Is(err, fault.Unavailable)})
	}
}

// gaveUp returns why something is not made any more; nil: it may be. Another attempt fails
// in the same way, and the error says so.
func (m *memo) gaveUp(key any) error {
	m.made.Lock()
	defer m.made.Unlock()
	for _, f := range m.failed {
		if f.key == key && f.final {
			return fault.With(fault.Fault{Final: true}, f.err)
		}
	}
	return nil
}

// giveUp gives up what could not be made by now, and returns why, each once.
func (m *memo) giveUp() (why []error) {
	m.made.Lock()
	defer m.made.Unlock()
	for i := range m.failed {
		f := &m.failed[i]
		if !f.final {
			f.final = true
			why = append(why, f.err)
		}
	}
	return why
}

// GiveUp gives up what could not be made by now: whoever asks for it later gets the same
// error, which is final. It returns each error once.
func (b *Builder) GiveUp() []error { return b.memo.giveUp() }
