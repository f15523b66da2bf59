package play

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// compare starts the servers of each lap, and compares what both releases publish. It returns
// the servers also with an error.
func (s *session) compare(ctx context.Context) (map[term.Lap]lapServers, error) {
	s.say("starting %s and %s", s.refs[term.Old], s.refs[term.New])
	all, err := s.startLaps(ctx, s.start)
	if err != nil {
		return all, err
	}
	full := all[term.DefaultLap]
	if gates := all[term.GatesLap]; gates != nil {
		full = gates
	}
	compared, err := diff.Compare(s.asPublished(term.Old, full), s.asPublished(term.New, full))
	if err != nil {
		return all, err
	}
	addHinted(&compared, s.hints, s.builds)
	if err := s.compared(compared); err != nil {
		return all, err
	}
	if err := findImmovable(ctx, s, all[term.DefaultLap][term.Old].tried); err != nil {
		return all, err
	}
	leaveOutImmovable(s)
	if err := s.findRefusals(ctx, all[term.DefaultLap]); err != nil {
		return all, err
	}
	return all, s.noteUnconverted()
}

// startLaps starts the servers of both laps, at once where the source names the gates. Where only
// the lap with gates does not start, the sweep has a note, and the default lap.
func (s *session) startLaps(ctx context.Context, start startLap) (map[term.Lap]lapServers, error) {
	all := map[term.Lap]lapServers{}
	known := s.everyGate(term.Old) != nil && s.everyGate(term.New) != nil
	var gates lapServers
	var failed error // of the lap with gates
	starting, cancel := context.WithCancel(ctx)
	defer cancel()
	var group errgroup.Group
	if known {
		group.Go(func() error { gates, failed = start(starting, term.GatesLap); return nil })
	}
	plain, err := start(starting, term.DefaultLap)
	if err != nil {
		cancel()
	}
	_ = group.Wait() // failed has the error
	if err == nil {
		all[term.DefaultLap] = plain
		for role, at := range plain {
			s.plain[role] = at.Release
		}
	}
	if err == nil && !known && s.hasGatesLap(ctx) {
		gates, failed = start(ctx, term.GatesLap)
	}
	if gates != nil {
		all[term.GatesLap] = gates
	}
	if err != nil || ctx.Err() != nil {
		return all, errors.Join(err, failed, ctx.Err())
	}
	switch {
	case fault.Is(failed, fault.Infrastructure): // the default lap is played, and the sweep has ended early
		s.unstarted = fmt.Errorf("the lap %s was not played: its servers did not start: %w", term.GatesLap, failed)
	case failed != nil:
		s.notes = append(s.notes, fmt.Sprintf("the lap %s was not played: its servers did not start: %v", term.GatesLap, failed))
	}
	return all, nil
}

// startLap starts the servers of a lap: see session.start.
type startLap func(ctx context.Context, lap term.Lap) (lapServers, error)

// asPublished returns what a release publishes with everything on, and its gates as they are by
// default.
func (s *session) asPublished(role term.Role, at lapServers) published.Release {
	r := at[role].Release
	r.Features, r.Preferred = s.plain[role].Features, s.plain[role].Preferred
	return s.withUnruled(role, r)
}

// hasGatesLap reports whether a release has gates or versions that are off at default settings.
func (s *session) hasGatesLap(ctx context.Context) bool {
	for role, b := range s.builds {
		if len(s.everyGate(role)) > 0 {
			return true
		}
		if b.Installs == nil && builder.SwitchesAPIs(ctx, b) {
			return true
		}
	}
	return false
}

// compared keeps a comparison as rows that nothing has played yet.
func (s *session) compared(d diff.Result) error {
	over, parts, err := s.scope.Over(d)
	if err != nil {
		return fault.ByUser(err)
	}
	every := s.scope
	every.Shard, every.Shards = 0, 0
	_, all, err := every.Over(d)
	if err != nil {
		return fault.ByUser(err)
	}
	s.scope, s.rows, s.parts = over, sweep.Differences(parts), sweep.Differences(all)
	leaveOutConverted(s)
	for _, rows := range [][]sweep.Row{s.rows, s.parts} {
		for i, r := range rows {
			rows[i].Reachable = r.Reachable && (isServed(s.plain, r.Difference) || isServed(s.defined, r.Difference))
		}
	}
	s.result.NotCompared = d.NotCompared
	addUnruled(s)
	for role, into := range map[term.Role]*sweep.Build{term.Old: &s.result.Old, term.New: &s.result.New} {
		b := s.builds[role]
		*into = sweep.Build{Reference: b.Reference, Version: b.Version, Digest: b.Digest, Substituted: b.Substitutions(), From: b.From}
	}
	played := 0
	kinds := map[term.DifferenceKind]int{}
	for _, row := range s.rows {
		kinds[row.Difference.Difference]++
		if row.Playable {
			played++
		}
	}
	s.say("%s, of %d different kinds of difference, %d of them playable", term.Numbered(len(s.rows), "difference"), len(kinds), played)
	return nil
}

// isServed reports whether a release serves a difference's kind at default settings.
func isServed(plain map[term.Role]published.Release, d diff.Difference) bool {
	if d.Kind == "" {
		return true
	}
	for _, release := range plain {
		for _, r := range release.Resources {
			if r.Kind == d.Kind && r.APIVersion == strings.TrimPrefix(d.Group+"/"+d.Version, "/") {
				return true
			}
		}
	}
	return false
}

// selection returns which rows the sweep has.
func (s *session) selection() sweep.Options {
	return sweep.Options{Scope: s.scope, Parts: s.parts, Stored: storedKinds(s), Served: servedKinds(s.plain), Unconverted: s.unconvertible, Unstored: s.dropped, Pairs: s.pairs()}
}

// unreached returns the rows that no lap before has an object for, which this one plays too: a gate that
// nothing names may be why.
func unreached(s lapRun) (ids []string) {
	if s.lap == term.DefaultLap { // the first one
		return nil
	}
	for _, r := range s.session.rows {
		if r.Playable && !s.reached[r.ID] {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// reachedBy returns the rows that objects of a lap are for. A value without members, such as an empty
// struct, exercises nothing: with gates on it may have some.
func reachedBy(objects []sweep.Object) (ids []string) {
	for _, o := range objects {
		fields, isMap := o.Specimen.Answered.(map[string]any)
		elements, isList := o.Specimen.Answered.([]any)
		if o.Played() && !(isMap && len(fields) == 0) && !(isList && len(elements) == 0) {
			ids = append(ids, o.Target.Rows...)
		}
	}
	return ids
}
