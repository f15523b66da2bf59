package play

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/machine"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/storage"
)

// hop is one upgrade by a minor release, and back.
type hop struct {
	*session
	dir       string
	builds    map[term.Role]servers.Build
	published map[term.Role]published.Release
	asked     map[term.Role]bool // on the copy
	options   map[term.Role]servers.Options
	result    preflight.Hop
	*judgement
	flagsLeft []string // that a release refuses, with the reason
	// refusedByBoth are the flags that both releases refuse.
	refusedByBoth []string
	askedOlder    bool // which of the values that objects have already it takes
	// upgraded is the directory of a copy that the newer release has served alone, upgradedAt its
	// revision; "": the newer release did not become ready.
	upgraded   string
	upgradedAt int64
}

func newHop(s *session, old, new servers.Build, dir string) *hop {
	h := &hop{session: s, dir: dir, builds: map[term.Role]servers.Build{term.Old: old, term.New: new}, published: map[term.Role]published.Release{}, asked: map[term.Role]bool{}, options: map[term.Role]servers.Options{}}
	h.judgement = &judgement{
		versions: map[term.Role]string{term.Old: old.Version, term.New: new.Version}, fields: map[term.Role]*mask.Fields{}, rollback: s.request.Rollback,
		written: map[string]int{}, internal: map[string]bool{}, revisedBy: map[string]bool{}, readAs: map[string]string{}, spaces: map[string]map[string]string{},
	}
	h.result = preflight.Hop{From: named(old), To: named(new), Rollback: s.request.Rollback}
	return h
}

func named(b servers.Build) preflight.Build {
	return preflight.Build{Reference: b.Reference, Version: b.Version, Digest: b.Digest}
}

// play plays the hop on a copy of a store.
func (h *hop) play(ctx context.Context, from string) error {
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return err
	}
	up, err := h.up(ctx, from)
	if err != nil || up == nil {
		return err
	}
	if err := h.back(ctx, *up); err != nil {
		return err
	}
	return errors.Join(h.rewritten(ctx, *up), h.kept(up.alone, h.askedOlder))
}

// learn asks servers of both releases on empty stores what they publish, and what the first writes
// are that there is no way back from.
func (h *hop) learn(ctx context.Context) error {
	refused, err := h.refusedFlags(ctx, h.builds)
	if err != nil {
		return err
	}
	group, asking := errgroup.WithContext(ctx)
	asked := map[term.Role]*learnt{term.Old: {refused: refused[term.Old]}, term.New: {refused: refused[term.New]}}
	for role, into := range asked {
		group.Go(func() error {
			return fault.Guard(func() error { return into.learn(asking, h, role) })
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for role, l := range asked {
		h.published[role], refused[role] = l.release, l.refused
		h.options[role] = h.without(l.refused)
	}
	h.judgeFlags(refused)
	if err := h.learnOther(ctx); err != nil {
		return err
	}
	return h.thresholds(ctx)
}

// learnOther notes what the release that the objects do not come from serves and knows.
func (h *hop) learnOther(ctx context.Context) error {
	role := term.New
	if h.request.Rollback {
		role = term.Old
	}
	facts, _, err := h.Facts.Of(ctx, h.builds[role])
	if err != nil {
		return err
	}
	var versions map[string][]string
	if facts != nil {
		versions = facts.VersionPriority
	}
	forms := h.forms(role)
	h.other = func(r *reading.Record) (bool, bool) {
		_, served := forms.Of(r.Key, r.APIVersion, r.Kind)
		return served, lacks(versions, r.APIVersion)
	}
	return nil
}

// learnt is what servers of a release say on an empty store: what they publish, and which of the user's
// flags they refuse.
type learnt struct {
	release published.Release
	refused []serverflags.Refusal
}

// learn asks a server of a release on an empty store.
func (l *learnt) learn(ctx context.Context, h *hop, role term.Role) error {
	s, err := h.startEmpty(ctx, h.builds[role], l)
	if err != nil {
		return err
	}
	h.watch(s.Process)
	l.release, err = published.Ask(ctx, s.Conn, h.builds[role])
	if err == nil && role == h.first() {
		err = h.noteInternal(ctx, s.Etcd, l.release)
	}
	return errors.Join(err, s.Close())
}

// noteInternal notes what a release stores in an empty store for itself, and does not serve.
func (h *hop) noteInternal(ctx context.Context, store *etcd.Server, r published.Release) error {
	forms := reading.FormsOf(r, r)
	return h.stored(ctx, store, func(key string, value []byte, _ int64) error {
		e := storage.Describe(value)
		if _, served := forms.Of(key, e.APIVersion, e.Kind); !served {
			h.internal[e.Kind] = true
		}
		return nil
	})
}

// first is the release that the objects come from.
func (s *session) first() term.Role {
	if s.request.Rollback {
		return term.New
	}
	return term.Old
}

// forms returns how objects are read from a release: as the older release reads them, if the
// newer one serves that version.
func (h *hop) forms(role term.Role) reading.Forms {
	old := reading.FormsOf(h.published[term.Old], h.published[term.New])
	if role == term.Old {
		return old.Convert(h.taken.ConvertedKinds)
	}
	return reading.FormsLike(old, h.published[term.New], h.published[term.Old]).Convert(h.taken.ConvertedKinds)
}

// open starts an etcd on a copy of a store.
func (h *hop) open(ctx context.Context, name, from string) (*etcd.Server, string, error) {
	at := filepath.Join(h.dir, name)
	if err := room(h.dir, from); err != nil {
		return nil, "", err
	}
	s, err := h.store(ctx, etcd.Config{Dir: at, From: from})
	return s, at, err
}

// room refuses to copy a store where the disk has no space for the copy and for what servers write
// into it.
func room(dir, store string) error {
	const times = 2
	needed := int64(0)
	err := filepath.WalkDir(store, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		needed += times * info.Size()
		return err
	})
	if err != nil {
		return err
	}
	if free, known := machine.FreeDisk(dir); known && free < needed {
		return fault.Failed(fault.DiskFull, fmt.Errorf("the next copy needs %d MB in %s, and %d MB are available", needed>>20, dir, free>>20))
	}
	return nil
}

// taken is a reading of a store by a server of a release.
type taken struct {
	role  term.Role
	phase string
	file  string
	// until is the newest revision of the store when the reading began.
	until int64
	lists reading.Listings
}

// take has a server read everything, and try what the configuration says.
func (h *hop) take(ctx context.Context, s *probe.Server, on *etcd.Server, role term.Role, phase string, c reading.Config) (t taken, err error) {
	t = taken{role: role, phase: phase, file: filepath.Join(h.dir, fmt.Sprintf("reading-%d.json.gz", len(h.result.Phases)))}
	if t.until, err = etcd.ContentsOf(on).Revision(ctx); err != nil {
		return t, err
	}
	began := time.Now()
	c.Conn, c.Forms, c.Versions, c.File = s.Conn, h.forms(role), h.readAs, t.file
	c.Stored = func(ctx context.Context, each func(string, []byte, int64) error) error {
		return h.stored(ctx, on, each)
	}
	c.Has = etcd.ContentsOf(on).Has
	count, err := reading.Take(ctx, c)
	if err != nil {
		return t, err
	}
	t.lists = count.Lists
	h.phase(preflight.Phase{Name: phase, Seconds: time.Since(began).Seconds(), Objects: count.Objects, Tried: count.Tried, Shared: count.Shared, Again: count.Passes - 1})
	if count.Passes > 1 {
		h.say("%s was read %d times: a GET did not show what a LIST does, or the server did not show or permit what an earlier phase had read", phase, count.Passes)
	}
	return t, nil
}

func (h *hop) phase(p preflight.Phase) {
	h.result.Phases = append(h.result.Phases, p)
	h.say("%s: %d objects, those of servers included, %d dry runs, %.1f s", p.Name, p.Objects, p.Tried, p.Seconds)
}

// concluded returns the hop with what was found so far.
func (h *hop) concluded() preflight.Hop {
	h.result.Findings, h.result.Kinds = h.judged.Findings(), h.judged.Kinds()
	h.result.Written, h.result.Deleted = h.written, h.gone
	h.result.PointOfNoReturn, h.result.Set = h.standing.count(h.askedOlder)
	h.result.Baseline, h.result.Defaulted = h.judged.Baseline(), h.judged.Defaulted()
	h.result.Grade(h.session.result.Source)
	return h.result
}
