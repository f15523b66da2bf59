package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/machine"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/sweep"
)

// preparation is what the servers of a lap were asked for before it is played.
type preparation struct {
	stored    StoredReading           // what they read of the bytes that both releases store
	unread    error                   // why they read none
	specimens map[string]try.Specimen // by keyOf
	rows      []sweep.Row             // that only their answers show
	playable  []sweep.Row             // of the comparison, which their answers give an object
	differing []sweep.Object          // of what both releases answer differently
	tried     map[string]try.Result   // by row
	err       error
}

// activeLap is a lap that is played.
type activeLap struct {
	lapRun
	lap  sweep.Lap
	over chan struct{}
	err  error
}

// playLaps plays all laps at the same time: their servers wait for one another more than they
// compute. A lap also plays the rows for which those before it have no object. An error ends its own lap
// alone, of which the sweep keeps what its servers answered until then.
func (s *session) playLaps(ctx context.Context, lapRuns []lapRun) error {
	ctx, cancel := context.WithCancel(ctx)
	making := make([]<-chan preparation, len(lapRuns))
	for i, r := range lapRuns {
		making[i] = r.makeAhead(ctx)
	}
	defer func() {
		cancel()
		for _, m := range making {
			<-m
		}
	}()
	var laps []*activeLap
	for i, r := range lapRuns {
		if i > 0 && !hasRoom(2) { // the lap before has only begun to use memory
			<-laps[i-1].over
		}
		laps = append(laps, r.launch(ctx, <-making[i]))
	}
	for _, r := range lapRuns {
		r.at.forget()
	}
	return s.await(laps)
}

// launch begins to play a lap. One that cannot be played is over, with what its servers answered to dry runs.
func (s lapRun) launch(ctx context.Context, ahead preparation) *activeLap {
	var lap *activeLap
	err := fault.Guard(func() (err error) { lap, err = s.begin(ctx, ahead); return err })
	if err == nil {
		return lap
	}
	lap = &activeLap{lapRun: s, over: make(chan struct{}), err: fmt.Errorf("the lap %s was not played: %w", s.lap, err)}
	lap.lap = sweep.Lap{Lap: s.lap, Settings: s.settings(), Rules: ahead.tried, Scope: s.scope}
	close(lap.over)
	return lap
}

// run plays the objects of the lap, on servers of their own.
func (p *activeLap) run(ctx context.Context) {
	defer close(p.over)
	p.err = fault.Guard(func() (err error) {
		p.lap.Evidence, err = p.playAll(ctx, p.lap.Objects, p.lap.Settings)
		return err
	})
}

// memoryOfLap is what a lap needs of the machine: five servers, the store and the record.
const memoryOfLap = 3 << 30

// hasRoom reports whether the machine has room for laps that use no memory yet; true where nobody knows.
func hasRoom(laps int64) bool {
	free, known := machine.FreeMemory()
	return !known || free > laps*memoryOfLap
}

// await keeps what laps show, each as soon as it and those before it are over.
func (s *session) await(laps []*activeLap) error {
	var problems []error
	for i, p := range laps {
		<-p.over
		s.laps = append(s.laps, p.lap)
		s.saying.Lock()
		logs := s.logs[p.lapRun.lap]
		s.saying.Unlock()
		problems = append(problems, p.err, p.keepMismatches(logs))
		if i+1 < len(laps) {
			// A process that is killed now leaves files that say so.
			s.result.Ended = fmt.Sprintf("the lap %s has not been played", laps[i+1].lapRun.lap)
			problems = append(problems, s.conclude())
		}
	}
	return errors.Join(problems...)
}

// makeAhead makes the objects of a lap that do not depend on other laps, and tries the rules. The
// channel has one element, and is closed then.
func (s lapRun) makeAhead(ctx context.Context) <-chan preparation {
	done := make(chan preparation, 1)
	go func() {
		defer close(done)
		m := preparation{specimens: map[string]try.Specimen{}}
		m.err = fault.Guard(func() error { return s.make(ctx, &m) })
		done <- m
	}()
	return done
}

// make fills in what is made before a lap. Reading puts values into the stores of the servers for a
// moment, so it is over before anything is tried on them.
func (s lapRun) make(ctx context.Context, m *preparation) (err error) {
	if len(s.serialized) > 0 {
		if m.stored, m.unread = readBytes(ctx, s, s.serialized); ctx.Err() != nil {
			return fmt.Errorf("read stored bytes: %w", m.unread)
		}
	}
	targets := s.targets(s.selection())
	if err := within(ctx, func(ctx context.Context) error { return s.reach(ctx, targets, m.specimens) }); err != nil {
		return err
	}
	if m.differing, m.tried, err = s.tryRules(ctx); err != nil {
		return err
	}
	objects := objectsOf(targets, m.specimens)
	return errors.Join(s.tryFields(ctx, objects, m), s.tryStatuses(ctx, objects, m), s.tryCollisions(ctx, objects, m))
}

// within gives work a quarter of the time that is left. What it makes is worth nothing if no time is left to play it.
func within(ctx context.Context, work func(context.Context) error) error {
	deadline, limited := ctx.Deadline()
	if !limited {
		return work(ctx)
	}
	part, cancel := context.WithTimeoutCause(ctx, time.Until(deadline)/4, try.ErrTimeUp)
	defer cancel()
	return work(part)
}

// objectsOf returns targets with the specimens that reach them.
func objectsOf(targets []sweep.Target, specimens map[string]try.Specimen) []sweep.Object {
	all := make([]sweep.Object, len(targets))
	for i, t := range targets {
		all[i] = sweep.Object{Target: t, Specimen: specimens[keyOf(t)]}
	}
	return all
}

// targets returns the targets of a lap.
func (s lapRun) targets(selected sweep.Options) []sweep.Target {
	all := sweep.Targets(s.rows, s.lap, selected)
	for i, t := range all {
		if t.Filled {
			all[i].Except = append(removed(s.scope.Whole, t), t.Except...)
		}
	}
	return all
}

// reach has each target that has no specimen yet reached by a server of the release that takes it.
func (s lapRun) reach(ctx context.Context, targets []sweep.Target, found map[string]try.Specimen) error {
	wanted := map[term.Role][]try.Target{}
	keys := map[term.Role][]string{}
	for _, t := range targets {
		if _, has := found[keyOf(t)]; !has {
			wanted[t.Release], keys[t.Release] = append(wanted[t.Release], t.Target), append(keys[t.Release], keyOf(t))
		}
	}
	var mu sync.Mutex // of found
	group, working := errgroup.WithContext(ctx)
	for role, all := range wanted {
		group.Go(func() error {
			return fault.Guard(func() error {
				specimens, err := try.Specimens(working, s.exerciser(role), all)
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				for i, key := range keys[role] {
					found[key] = specimens[i]
				}
				return nil
			})
		})
	}
	return group.Wait()
}

// keyOf identifies what a server is asked for.
func keyOf(t sweep.Target) string {
	raw, _ := json.Marshal([]any{t.Release, t.Target}) // values of JSON, and words
	return string(raw)
}
