package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/program"
	"github.com/skewsim/skewsim/servers/seclusion"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Source is where the objects come from.
type Source interface {
	// Fill puts every object into the copy, below Prefix, and says what it took.
	Fill(ctx context.Context, c Copy) (Taken, error)
}

// Prefix is the prefix of all keys in the copy: that of kube-apiservers.
const Prefix = "/registry/"

// Host is what a preflight works with.
type Host struct {
	Tool  string // the version of skewsim
	Build func(ctx context.Context, ref servers.Reference) (servers.Build, error)
	Facts probe.Facts
	// Runtime returns what starts servers, which read what others of the same seed encrypted.
	Runtime func(secrets, logs, seed string) (servers.Runtime, error)
	// Images runs programs that are container images; nil: none can be.
	Images program.Images
	// Temporary receives each directory that must not outlive the process.
	Temporary func(dir string)
	// Opened is called when the preflight has its directory.
	Opened func()
	// Report writes the files of the preflight, after each hop and at the end.
	Report func(dir string, r preflight.Result) error
	Out    io.Writer // receives the progress
}

// Request says what to play.
type Request struct {
	// Releases are the references of the releases, in the order of the upgrade: at least two.
	Releases []servers.Reference
	// Rollback plays only the way back from the last release to the one before: the objects come
	// from the last one.
	Rollback bool
	// Programs convert objects of custom resources.
	Programs []Program
	// Options are how servers are started.
	Options servers.Options
	// Refused returns what servers of a release refuse of the user's flags; nil if the user gave no flags.
	Refused func(ctx context.Context, b servers.Build, versions map[string][]string) ([]serverflags.Refusal, error)
	// Account says which of these flags servers get.
	Account serverflags.Account
	Dir     string // of the reports
	Timeout time.Duration
	Command string // what repeats the preflight
	Held           // as its Read left it
}

// Program is a program that stands in for the conversion webhooks of definitions.
type Program struct {
	servers.Program
	// Name is its file, or auto:MODULE@VERSION.
	Name string
	// Kinds are the kinds that it converts, each as Kind or Kind.group.
	Kinds []string
}

// session is one preflight.
type session struct {
	Host
	request   Request
	programs  []seclusion.Program
	reportsIn string // the directory
	scratch   string // of the copies
	logs      string // the directory of the logs that are kept
	began     time.Time
	result    preflight.Result
	taken     Taken
	seal      *snapshot.Seal          // of the copy
	starts    atomic.Int32            // of servers
	lastTaken int64                   // the revision of the last object of the source
	fail      context.CancelCauseFunc // ends the preflight when a store fails
}

// runtime returns what starts servers that read the copy.
func (s *session) runtime(secrets, logs string) (servers.Runtime, error) {
	return s.Runtime(secrets, logs, s.seal.Seed)
}

// stored calls each with the content of every value of a copy that may be an object.
func (s *session) stored(ctx context.Context, on *etcd.Server, each func(key string, value []byte, revision int64) error) error {
	_, err := etcd.ContentsOf(on).Each(ctx, Prefix, func(key string, value []byte, revision int64) error {
		if ofReplicas(key) {
			return nil
		}
		plain, err := s.seal.Open(ctx, key, value)
		if err != nil {
			return err
		}
		return each(key, plain, revision)
	})
	return err
}

// ofReplicas reports whether a key is one under which each API server of a cluster keeps its own address, as
// Endpoints that nobody serves: it expires with the server.
func ofReplicas(key string) bool {
	below := strings.TrimPrefix(key, Prefix)
	return strings.HasPrefix(below, "masterleases/") || strings.HasPrefix(below, "peerserverleases/")
}

// Run plays a request. The result has what was found until then, also with an error.
func Run(ctx context.Context, h Host, from Source, r Request) (result preflight.Result, err error) {
	s := &session{Host: h, request: r, seal: snapshot.NewSeal()}
	builds, err := s.builds(ctx)
	if err != nil {
		return result, err
	}
	dir, err := rundir.Open(r.Dir)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	h.Opened()
	s.reportsIn, s.logs = dir.Path, filepath.Join(dir.Path, logs)
	s.began = time.Now()
	s.result = preflight.Result{SchemaVersion: preflight.SchemaVersion, Tool: h.Tool, Date: scenarios.Day(s.began), Command: r.Command}
	if s.scratch, err = rundir.Scratch("skewsim-preflight-"); err != nil {
		return result, err
	}
	h.Temporary(s.scratch)
	defer func() { err = errors.Join(err, os.RemoveAll(s.scratch)) }()
	ctx, cancel := engine.WithTimeout(ctx, r.Timeout)
	defer cancel()
	ctx, s.fail = context.WithCancelCause(ctx)
	defer s.fail(nil)
	close, err := s.startPrograms(ctx)
	defer func() { err = errors.Join(err, close()) }()
	if err == nil {
		err = s.play(ctx, from, builds)
	}
	err = s.reason(ctx, engine.Late(ctx, err))
	s.result.Ended = ending(ctx, err)
	_ = os.Remove(s.logs) // unless it keeps a log
	s.result.Conclude()
	err = errors.Join(err, r.Hold(&s.result, s.began))
	return s.result, errors.Join(err, engine.Advise(h.Report(dir.Path, s.result)))
}

// startPrograms starts the programs that convert, before any server asks them. close ends those that started.
func (s *session) startPrograms(ctx context.Context) (close func() error, err error) {
	var running []*crd.StandIn
	close = func() (err error) {
		for _, p := range running {
			err = errors.Join(err, p.Close())
		}
		return err
	}
	for i, p := range s.request.Programs {
		if err := os.MkdirAll(s.logs, 0o700); err != nil {
			return close, err
		}
		name := fmt.Sprintf("program-%d", i+1)
		r, err := crd.StartStandIn(ctx, p.Program, name, filepath.Join(s.scratch, name), s.logs, s.Images)
		if err != nil {
			return close, err
		}
		running = append(running, r)
		url, ca := r.Address()
		s.programs = append(s.programs, seclusion.Program{URL: url, CA: ca, Kinds: p.Kinds})
	}
	return close, nil
}

// ending says why a preflight ended early; "": it did not. What servers and requests say of an interruption are its
// consequences.
func ending(ctx context.Context, err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(context.Cause(ctx), context.Canceled):
		return "interrupted"
	}
	return err.Error()
}

// builds makes the builds of all releases.
func (s *session) builds(ctx context.Context) ([]servers.Build, error) {
	if len(s.request.Releases) < 2 {
		return nil, fault.ByUser(errors.New("name two releases with {from} and {to}"))
	}
	var all []servers.Build
	for _, ref := range s.request.Releases {
		b, err := s.Build(ctx, ref)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// say prints a line of progress with the time since the preflight began.
func (s *session) say(format string, values ...any) {
	fmt.Fprintf(s.Out, "%6.1fs  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, values...))
}

// leaveFlags notes which of the user's flags servers of a hop did not get. What no server got is not taken over.
func (s *session) leaveFlags(h *hop) {
	from := &s.result.Source
	for _, line := range h.flagsLeft {
		if !slices.Contains(from.FlagsLeft, line) {
			from.FlagsLeft = append(from.FlagsLeft, line)
		}
	}
	if len(s.request.Releases) > 2 {
		return // a release of another hop may take it
	}
	from.FlagsTaken = slices.DeleteFunc(from.FlagsTaken, func(line string) bool {
		return slices.ContainsFunc(h.refusedByBoth, func(flag string) bool { return line == flag || strings.HasPrefix(line, flag+"=") })
	})
}

// play fills the copy, and plays one hop after the other.
func (s *session) play(ctx context.Context, from Source, builds []servers.Build) error {
	at, filled := filepath.Join(s.scratch, "copy"), int64(0) // filled is the newest revision before a hop
	for i := 1; i < len(builds); i++ {
		h := newHop(s, builds[i-1], builds[i], filepath.Join(s.scratch, fmt.Sprintf("hop-%d", i)))
		err := h.learn(ctx)
		if err == nil && i == 1 {
			filled, err = s.fill(ctx, h, from, at)
			s.lastTaken = filled
		}
		if err == nil {
			h.filled, h.webhooks = filled, s.taken.Webhooks
			err = h.play(ctx, at)
		}
		s.leaveFlags(h)
		s.result.Hops = append(s.result.Hops, h.concluded())
		if err != nil {
			return err
		}
		if i+1 < len(builds) && h.upgraded == "" {
			return fmt.Errorf("%s or %s does not become ready: further hops were not played", builds[i-1].Version, builds[i].Version)
		}
		at, filled = h.upgraded, h.upgradedAt
		if i+1 < len(builds) {
			if err := s.reportSoFar(); err != nil {
				return err
			}
		}
	}
	return nil
}

// unfinished is why a preflight ended whose process was killed in a later hop.
const unfinished = "it was not played to its end: this was written before further hops were played"

// reportSoFar writes what was found in the hops that were played: who kills the process, as a lack of memory does, leaves it.
func (s *session) reportSoFar() error {
	r := s.result
	r.Hops, r.Ended = slices.Clone(r.Hops), unfinished
	_ = s.request.Hold(&r, s.began) // a line that has expired is an error at the end
	return s.Report(s.reportsIn, r)
}
