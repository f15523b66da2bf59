package session

import (
	"context"
	"encoding/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/exercise"
	"github.com/skewsim/skewsim/sim/exercise/rules"
	"github.com/skewsim/skewsim/sim/guard"
	"github.com/skewsim/skewsim/sim/sweep"
)

// made is what the servers of a lap were asked for before it is played.
type made struct {
	specimens map[string]exercise.Specimen // by keyOf
	differing []sweep.Object               // of what both releases answer differently
	tried     map[string]rules.Result      // by row
	err       error
}

// playLaps plays laps one after the other. While one is played, the objects of the next are made:
// the servers on which they are tried stand apart.
func (s *session) playLaps(ctx context.Context, rides []ride) error {
	ctx, cancel := context.WithCancel(ctx)
	next := rides[0].makeAhead(ctx)
	defer func() { cancel(); <-next }()
	for i, r := range rides {
		ahead := <-next
		if i+1 < len(rides) {
			next = rides[i+1].makeAhead(ctx)
		}
		if ahead.err != nil {
			return ahead.err
		}
		if err := r.run(ctx, ahead); err != nil {
			return err
		}
		if err := s.conclude(); err != nil {
			return err
		}
	}
	return nil
}

// makeAhead makes the objects of a lap that do not depend on other laps, and tries the rules. The
// channel has one element, and is closed then.
func (s ride) makeAhead(ctx context.Context) <-chan made {
	done := make(chan made, 1)
	go func() {
		defer close(done)
		m := made{specimens: map[string]exercise.Specimen{}}
		m.err = guard.Call(func() error { return s.make(ctx, &m) })
		done <- m
	}()
	return done
}

// make fills in what is made before a lap. It adds the rows that only the servers' answers show.
func (s ride) make(ctx context.Context, m *made) (err error) {
	targets := s.targets(s.selection())
	if err := s.reach(ctx, targets, m.specimens); err != nil {
		return err
	}
	if m.differing, m.tried, err = s.tryRules(ctx); err != nil {
		return err
	}
	unstated, err := s.tryFields(ctx, objectsOf(targets, m.specimens))
	m.differing = append(m.differing, unstated...)
	return err
}

// objectsOf returns targets with the specimens that reach them.
func objectsOf(targets []sweep.Target, specimens map[string]exercise.Specimen) []sweep.Object {
	all := make([]sweep.Object, len(targets))
	for i, t := range targets {
		all[i] = sweep.Object{Target: t, Specimen: specimens[keyOf(t)]}
	}
	return all
}

// targets returns the targets of a lap.
func (s ride) targets(selected sweep.Options) []sweep.Target {
	all := sweep.Targets(s.rows, s.lap, selected)
	for i, t := range all {
		if t.Filled {
			all[i].Except = append(removed(s.whole, t), t.Except...)
		}
	}
	return all
}

// reach has each target that has no specimen yet reached by a server of the release that takes it.
func (s ride) reach(ctx context.Context, targets []sweep.Target, found map[string]exercise.Specimen) error {
	wanted := map[term.Role][]exercise.Target{}
	keys := map[term.Role][]string{}
	for _, t := range targets {
		if _, has := found[keyOf(t)]; !has {
			wanted[t.Release], keys[t.Release] = append(wanted[t.Release], t.Target), append(keys[t.Release], keyOf(t))
		}
	}
	for role, all := range wanted {
		specimens, err := exercise.Specimens(ctx, s.exerciser(role, s.at[role]), all)
		if err != nil {
			return err
		}
		for i, key := range keys[role] {
			found[key] = specimens[i]
		}
	}
	return nil
}

// keyOf identifies what a server is asked for.
func keyOf(t sweep.Target) string {
	raw, _ := json.Marshal([]any{t.Release, t.Target}) // values of JSON, and words
	return string(raw)
}
