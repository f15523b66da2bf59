package play

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/hints"
	"github.com/skewsim/skewsim/servers/machine"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/allow"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// session is one sweep.
type session struct {
	host    Host
	request Request
	dir     *rundir.Dir
	began   time.Time
	used    machine.Usage // before the sweep began
	saying  sync.Mutex    // laps and their runs are played side by side: of Out, and of logs
	logs    map[term.Lap][]serverLog

	refs     map[term.Role]servers.Reference
	builds   map[term.Role]servers.Build
	given    map[term.Role]scenarios.Options
	sources  map[term.Role]*source.Facts // nil: there is no source at hand
	missing  map[term.Role][]string      // what the source does not say, with the reasons
	examples map[term.Role]examples.All
	hints    []hints.Hint
	plain    map[term.Role]published.Release // at default settings
	// unstarted is why the machine did not start the lap with gates; nil: it did, or the releases did not.
	unstarted error

	held held
	// reached are the rows that a lap has an object for, or whose object it refused.
	reached map[string]bool
	// unconvertible are the kinds whose conversion is not known: see unconverted.
	unconvertible []string
	// dropped are fields that no version stores: see unstored.
	dropped map[sweep.Kind][]string

	unpatched unpatched
	immovable []immovable // definitions that no run has
	// refusals and onceStored are what servers said to definitions before anything was played.
	refusals   []sweep.RefusedDefinition
	onceStored []sweep.OnceStored
	unruled    []unruled // kinds of which a version alone is played, or none
	// defined is what the definitions of each release declare, also those that are installed without some of
	// their versions; none, if all are installed as they are.
	defined map[term.Role]published.Release
	// kustomizations are the files that have kustomize patch the folders of definitions; "": there is none.
	kustomizations []string
	parts          []sweep.Row // of all shards
	scope          sweep.Scope
	result         sweep.Result
	notes          []string     // of what failed and did not end the sweep
	accepted       allow.Report // of the last conclusion
	rows           []sweep.Row
	laps           []sweep.Lap
	stored         []StoredReading // of the laps, before they are played
	// serialized are the objects in the source of each release as it stores them.
	serialized map[term.Role]map[string]examples.Serialized
}

// Run sweeps a pair. The result has what was found until then, also with an error. Errors in the
// request are of fault.User.
func Run(ctx context.Context, h Host, r Request) (result sweep.Result, err error) {
	if err := rundir.Check(r.Dir); err != nil { // before modules are fetched
		return result, err
	}
	s, err := prepare(ctx, h, r)
	if err != nil {
		return result, err
	}
	ctx, cancel := engine.WithTimeout(ctx, r.Timeout)
	defer cancel()
	return s.run(ctx, s.compare)
}

// run executes a sweep that is prepared. The directory of the sweep, which may hold an earlier one,
// is opened after both releases are compared: a request that names what they do not have leaves it
// as it is.
func (s *session) run(ctx context.Context, compare func(context.Context) (map[term.Lap]lapServers, error)) (_ sweep.Result, err error) {
	at, err := compare(ctx)
	stop := func() error {
		var all []error
		for _, l := range slices.Sorted(maps.Keys(at)) {
			all = append(all, at[l].close())
		}
		at = nil
		return errors.Join(all...)
	}
	defer func() { err = errors.Join(err, stop()) }()
	if fault.Is(err, fault.User) {
		return s.result, err
	}
	dir, opening := rundir.Open(s.request.Dir)
	if opening != nil {
		return s.result, errors.Join(err, opening)
	}
	s.dir = dir
	s.host.Opened()
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err == nil {
		err = errors.Join(s.sweep(ctx, at), s.unstarted)
	}
	err = engine.Late(ctx, err)
	s.result.Ended = ending(ctx, err, s.request.Timeout)
	err = errors.Join(err, stop()) // ended, the servers count
	s.result.Timing = timing(s.began, s.used)
	err = errors.Join(err, s.conclude())
	if err == nil {
		err = s.write()
	}
	return s.result, errors.Join(err, fault.Wrap(fault.Verdict, s.accepted.Err(s.request.Allow)))
}

// ending says why a sweep ended early; "": it did not. What servers and requests say of an
// interruption are its consequences.
func ending(ctx context.Context, err error, timeout time.Duration) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(ctx.Err(), context.Canceled):
		return "interrupted; what was played until then is reported"
	case errors.As(err, &engine.TimeoutError{}):
		return fmt.Sprintf("out of time after %s; what was played until then is reported", timeout)
	}
	return err.Error()
}

// timing returns what the sweep took so far; nil where that is not measured.
func timing(began time.Time, before machine.Usage) *sweep.Timing {
	now, known := machine.Used()
	if !known {
		return nil
	}
	return &sweep.Timing{
		Seconds: time.Since(began).Seconds(), SimulatorCPU: (now.CPU - before.CPU).Seconds(),
		ServersCPU: (now.Children - before.Children).Seconds(), Memory: now.Memory,
	}
}

// say prints a line of progress with the time since the sweep began.
func (s *session) say(format string, values ...any) {
	s.saying.Lock()
	defer s.saying.Unlock()
	fmt.Fprintf(s.host.Out, "%6.1fs  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, values...))
}

// sweep plays each lap on servers that were started.
func (s *session) sweep(ctx context.Context, at map[term.Lap]lapServers) error {
	if s.request.Plan || len(s.rows) == 0 && len(storedKinds(s)) == 0 {
		return nil
	}
	var lapRuns []lapRun
	for _, l := range term.Laps() {
		if at[l.Word] != nil {
			lapRuns = append(lapRuns, lapRun{s, l.Word, at[l.Word], s.rows})
		}
	}
	s.readSerialized(ctx)
	err := s.playLaps(ctx, lapRuns)
	s.noteWithout()
	return err
}
