package play

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
)

// upgraded is a store after the newer release has served it alone, with what was read before.
type upgraded struct {
	before *taken // by the older release; nil in a rollback
	alone  taken  // by the newer release
}

// first is the reading of the release that the objects come from.
func (u upgraded) first() taken {
	if u.before != nil {
		return *u.before
	}
	return u.alone
}

// up plays the upgrade on a copy of a store, which it removes: the first release alone, both, and the newer
// release alone. It returns nil if a release does not become ready.
func (h *hop) up(ctx context.Context, from string) (_ *upgraded, err error) {
	store, at, err := h.open(ctx, "up", from)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := errors.Join(h.ofServers(ctx, store, h.judged.Exclude), os.RemoveAll(from)); err != nil {
		return nil, err
	}
	before, err := h.unstarted(ctx, store, h.judged.Excluded)
	if err != nil {
		return nil, err
	}
	first, err := h.settle(ctx, store)
	if err != nil || first == nil {
		return nil, err
	}
	u := &upgraded{}
	phase := preflight.PhaseBaseline
	base, err := h.take(ctx, first, store, h.first(), phase, reading.Config{Tries: reading.Writes(), Beside: true})
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	err = errors.Join(h.baseline(base), h.ranges(base, h.request.Options.ServiceIPRange), h.collected(before, base, h.forms(h.first())))
	if err == nil {
		err = h.repair(ctx, first, base, h.direction())
	}
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	h.unplayed()
	if h.request.Rollback {
		u.alone = base
		err = errors.Join(h.standing.askNewer(ctx, first, h.forms(term.New)), first.Close())
	} else {
		u.before = &base
		u.alone, err = h.beside(ctx, store, first, base)
	}
	if err != nil || u.alone.file == "" {
		return nil, err
	}
	h.upgraded = at
	h.upgradedAt, err = etcd.ContentsOf(store).Revision(ctx)
	return u, err
}

// settle starts the first release, stops it, and starts it again: servers write when they start,
// and that is no effect of the upgrade.
func (h *hop) settle(ctx context.Context, store *etcd.Server) (*probe.Server, error) {
	s, err := h.start(ctx, h.first(), store, preflight.PhaseBaseline, h.direction())
	if err != nil || s == nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return h.start(ctx, h.first(), store, preflight.PhaseBaseline, h.direction())
}

// beside starts the newer release beside the older one, ends the older one, and has the newer one
// read everything alone. The result has no file if the newer release does not become ready.
func (h *hop) beside(ctx context.Context, store *etcd.Server, first *probe.Server, base taken) (alone taken, err error) {
	second, err := h.start(ctx, term.New, store, preflight.PhaseBeside, preflight.Up)
	if err != nil || second == nil {
		return alone, errors.Join(err, first.Close())
	}
	defer func() { err = errors.Join(err, second.Close()) }()
	mixed, err := h.take(ctx, first, store, term.Old, preflight.PhaseBeside, reading.Config{Before: base.file})
	if err == nil {
		err = h.mixed(base, mixed)
	}
	if err = errors.Join(err, first.Close()); err != nil {
		return alone, err
	}
	if alone, err = h.take(ctx, second, store, term.New, preflight.PhaseAlone, reading.Config{Tries: reading.Writes(), Earlier: base.file}); err != nil {
		return alone, err
	}
	if err := errors.Join(h.upgrade(base, alone), h.ranges(alone, h.request.Options.ServiceIPRange)); err != nil {
		return alone, err
	}
	return alone, errors.Join(h.standing.askNewer(ctx, second, h.forms(term.New)), h.repair(ctx, second, alone, preflight.Up))
}

// back plays the way back on a copy that the newer release served and nobody wrote: the older
// release reads everything, then writes a label to every object, and the newer release reads again.
func (h *hop) back(ctx context.Context, u upgraded) (err error) {
	store, at, err := h.open(ctx, "back", h.upgraded)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(), os.RemoveAll(at)) }()
	old, err := h.start(ctx, term.Old, store, preflight.PhaseBack, preflight.Back)
	if err != nil || old == nil {
		return err
	}
	what := reading.Config{Tries: reading.Writes()}
	if u.before == nil { // else this release has accepted the same already
		what.Earlier = u.alone.file
	} else {
		what.Before = u.before.file
	}
	read, err := h.take(ctx, old, store, term.Old, preflight.PhaseBack, what)
	if err == nil {
		err = h.returned(u, read)
	}
	if err == nil {
		err = h.repair(ctx, old, read, preflight.Back)
	}
	if err == nil {
		h.askedOlder = true
		err = h.standing.askOlder(ctx, old, h.forms(term.Old), h.fields[term.Old])
	}
	if err == nil {
		err = h.change(ctx, old, term.Old, read.file, reading.Label, preflight.PhaseWritten)
	}
	if err = errors.Join(err, old.Close()); err != nil {
		return err
	}
	return h.again(ctx, store, u)
}

// again has the newer release read what the older one wrote.
func (h *hop) again(ctx context.Context, store *etcd.Server, u upgraded) error {
	new, err := h.start(ctx, term.New, store, preflight.PhaseWritten, preflight.Back)
	if err != nil || new == nil {
		return err
	}
	read, err := h.take(ctx, new, store, term.New, preflight.PhaseWritten, reading.Config{})
	if err == nil {
		err = h.lost(u.alone, read, term.Old)
	}
	return errors.Join(err, new.Close())
}

// rewritten plays the way back on a copy in which the newer release has rewritten every object, as
// a storage migration does.
func (h *hop) rewritten(ctx context.Context, u upgraded) (err error) {
	store, at, err := h.open(ctx, "rewritten", h.upgraded)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(), os.RemoveAll(at)) }()
	new, err := h.start(ctx, term.New, store, preflight.PhaseRewrote, preflight.Back)
	if err != nil || new == nil {
		return err
	}
	err = h.change(ctx, new, term.New, u.alone.file, reading.Put, preflight.PhaseRewrote)
	if err = errors.Join(err, new.Close()); err != nil {
		return err
	}
	old, err := h.start(ctx, term.Old, store, preflight.PhaseRewrote, preflight.Back)
	if err != nil || old == nil {
		return err
	}
	what := reading.Config{Tries: reading.Writes()[:1]}
	if u.before != nil {
		what.Before = u.before.file
	}
	read, err := h.take(ctx, old, store, term.Old, preflight.PhaseRewrote, what)
	if err == nil {
		err = h.afterRewrite(u, read)
	}
	return errors.Join(err, old.Close())
}

// change writes every object of a reading. A write that does not succeed decides nothing about what is
// lost. What is refused although the dry runs were accepted is refused for its size, or for what another
// object of the same shape does not have.
func (h *hop) change(ctx context.Context, s *probe.Server, role term.Role, file string, w reading.Write, phase string) error {
	began := time.Now()
	written, err := reading.Change(ctx, s.Conn, h.forms(role), file, w, func(r reading.Record, t reading.Try) {
		h.unwritten(taken{role: role, phase: phase}, r, t)
	})
	h.phase(preflight.Phase{Name: preflight.Writing(phase), Seconds: time.Since(began).Seconds(), Objects: written.Sent})
	h.say("%d of %d writes stored other bytes", written.Changed, written.Sent)
	return err
}
