package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/machine"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/guard"
	"github.com/skewsim/skewsim/sim/preflight"
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
	degraded      bool // the first release was not ready by itself
	askedOlder    bool // which of the values that objects have already it takes
	// upgraded is the directory of a copy that the newer release has served alone, upgradedAt its
	// revision; "": the newer release did not become ready.
	upgraded   string
	upgradedAt int64
}

func newHop(s *session, old, new servers.Build, dir string) *hop {
	h := &hop{session: s, dir: dir, builds: map[term.Role]servers.Build{term.Old: old, term.New: new}, published: map[term.Role]published.Release{}, asked: map[term.Role]bool{}, options: map[term.Role]servers.Options{}}
	h.judgement = &judgement{
		versions: map[term.Role]string{term.Old: old.Version, term.New: new.Version}, fields: map[term.Role]*preflight.Fields{}, rollback: s.request.Rollback,
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
			return guard.Call(func() error { return into.learn(asking, h, role) })
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
	return h.thresholds(ctx)
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
		return old
	}
	return reading.FormsLike(old, h.published[term.New], h.published[term.Old])
}

// open starts an etcd on a copy of a store.
func (h *hop) open(ctx context.Context, name, from string) (*etcd.Server, string, error) {
	at := filepath.Join(h.dir, name)
	if err := room(h.dir, from); err != nil {
		return nil, "", err
	}
	s, err := etcd.Start(ctx, etcd.Config{Dir: at, From: from})
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
		return fault.Failed(fault.DiskFull, fmt.Errorf("the next copy needs %d MB in %s, and %d MB are available: free space there, or name a directory on another disk with TMPDIR", needed>>20, dir, free>>20))
	}
	return nil
}

// start starts a server of a release on a store. A server that does not become ready is a finding:
// then it returns nil.
func (h *hop) start(ctx context.Context, role term.Role, on *etcd.Server, phase string, d preflight.Direction) (*probe.Server, error) {
	const within = 3 * time.Minute
	b, store := h.builds[role], on.Store()
	c := h.config(b, h.options[role], "copy")
	c.Options.Encryption = h.seal.Encryption()
	c.Store, c.ReadyWithin, c.MayNotRead = &store, within, collections(h.published[role])
	began := time.Now()
	s, err := probe.Start(ctx, c)
	if err != nil {
		var ended *servers.ExitError
		var late *servers.LateError
		if ctx.Err() != nil || !errors.As(err, &ended) && !errors.As(err, &late) {
			return nil, err
		}
		h.notReady(b, phase, d, unreadyWords(b, ended, within)+"; its log is "+filepath.Join(logs, c.Name+".log"), "")
		return nil, h.unknown(ctx, role, on, phase, d)
	}
	h.greet(ctx, s, role, phase, d, time.Since(began))
	if err := h.ask(ctx, s, on, role); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// greet says how long a server took to become ready. One that cannot list something and becomes ready all the same
// is no finding: what it cannot list is found as such.
func (h *hop) greet(ctx context.Context, s *probe.Server, role term.Role, phase string, d preflight.Direction, took time.Duration) {
	b, state := h.builds[role], "is ready"
	if lacks := lacking(s, collections(h.published[role])); lacks != "" {
		if settles(ctx, s.Process) {
			state = "answers, and is ready a minute later, since it cannot list some kinds,"
		} else if ctx.Err() == nil {
			state = "answers, and does not become ready,"
			h.notReady(b, phase, d, lacks, lacks)
		}
	}
	h.say("%s %s after %.1f s (%s)", b.Version, state, took.Seconds(), phase)
}

// settles reports whether a degraded server becomes ready.
func settles(ctx context.Context, p servers.Process) bool {
	s, is := p.(servers.Settling)
	return is && s.Settles(ctx)
}

// ask asks a server of a release once what it serves on the copy: the definitions of the copy stay as
// they are. What an empty store serves would be no answer, for it lacks the user's own kinds. A server
// that is ready serves these a little later: those of manifests have no status yet.
func (h *hop) ask(ctx context.Context, s *probe.Server, on *etcd.Server, role term.Role) error {
	if h.asked[role] {
		return nil
	}
	const most, pause = 8, time.Second
	names, err := definitionsOf(ctx, on)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		release, err := published.Ask(ctx, s.Conn, h.builds[role])
		if err == nil && (try == most || servesAll(release, names)) {
			h.published[role], h.asked[role] = release, true
			h.fields[role] = preflight.FieldsOf(release)
			return nil
		}
		if try == most || ctx.Err() != nil {
			return fmt.Errorf("what %s serves on the copy: %w", h.builds[role].Version, errors.Join(err, ctx.Err()))
		}
		wait(ctx, pause)
	}
}

// definitionsOf returns the names of the stored definitions of custom resources: PLURAL.GROUP.
func definitionsOf(ctx context.Context, on *etcd.Server) (names []string, err error) {
	const at = Prefix + "apiextensions.k8s.io/customresourcedefinitions/"
	_, err = etcd.ContentsOf(on).Each(ctx, at, func(key string, _ []byte, _ int64) error {
		names = append(names, strings.TrimPrefix(key, at))
		return nil
	})
	return names, err
}

// servesAll reports whether a release serves the resources of all definitions.
func servesAll(r published.Release, names []string) bool {
	served := map[string]bool{}
	for _, resource := range r.Resources {
		group, _, _ := strings.Cut(resource.APIVersion, "/")
		served[resource.Plural+"."+group] = true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !served[name] })
}

func wait(ctx context.Context, pause time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// notReady notes a server that is not ready. The first release alone is the baseline. Whatever keeps it from
// being ready, the release of a direction that is not ready either blocks that direction.
func (h *hop) notReady(b servers.Build, phase string, d preflight.Direction, words, lacks string) {
	f := preflight.Finding{Class: preflight.NotReady, Direction: d, Release: b.Version, Phase: phase, Message: words}
	switch {
	case phase == preflight.PhaseBaseline:
		h.judged.Unready(f)
		h.degraded = h.degraded || lacks != ""
	case lacks == "" || !h.degraded:
		h.judged.Add(f)
	case b.Version == h.versions[target(d)]:
		f.Message = fmt.Sprintf("%s; on %s already", words, h.versions[h.first()])
		h.judged.Add(f)
	}
}

// target is the release that a direction leads to.
func target(d preflight.Direction) term.Role {
	if d == preflight.Back {
		return term.Old
	}
	return term.New
}

func unreadyWords(b servers.Build, ended *servers.ExitError, within time.Duration) string {
	if ended != nil {
		text := fmt.Sprintf("a server of %s %s before it was ready", b.Version, ended.Status)
		if said := preflight.LastWords(ended.Tail); said != "" {
			text += ": " + said
		}
		return text
	}
	return fmt.Sprintf("a server of %s was not ready after %s", b.Version, within)
}

// lacking returns what a server that is as ready as it gets cannot read; "" for nothing.
func lacking(s *probe.Server, of []string) string {
	if d, is := s.Process.(servers.Degraded); is {
		return d.Lacks(of)
	}
	return ""
}

// collections returns the paths of all collections that a release lists.
func collections(r published.Release) []string {
	all := map[string]bool{}
	for _, resource := range r.Resources {
		if slices.Contains(resource.Verbs, "list") {
			all[client.Resource{APIVersion: resource.APIVersion, Plural: resource.Plural}.Collection()] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
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

// take has a server read everything.
func (h *hop) take(ctx context.Context, s *probe.Server, on *etcd.Server, role term.Role, phase string, tries []reading.Write) (t taken, err error) {
	t = taken{role: role, phase: phase, file: filepath.Join(h.dir, fmt.Sprintf("reading-%d.json.gz", len(h.result.Phases)))}
	if t.until, err = etcd.ContentsOf(on).Revision(ctx); err != nil {
		return t, err
	}
	began := time.Now()
	count, err := reading.Take(ctx, reading.Config{
		Conn: s.Conn, Forms: h.forms(role), Versions: h.readAs, Tries: tries, File: t.file,
		Stored: func(ctx context.Context, each func(string, []byte, int64) error) error {
			return h.stored(ctx, on, each)
		},
		Has: func(ctx context.Context, key string) (has bool, err error) {
			_, err = etcd.ContentsOf(on).Each(ctx, key, func(k string, _ []byte, _ int64) error {
				has = has || k == key
				return nil
			})
			return has, err
		},
	})
	t.lists = count.Lists
	h.phase(preflight.Phase{Name: phase, Seconds: time.Since(began).Seconds(), Objects: count.Objects, Tried: count.Tried, Shared: count.Shared})
	return t, err
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
