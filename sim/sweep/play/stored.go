package play

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// readSerialized reads what both releases store, as their source contains it. The servers of each lap
// read it before anything is tried on them. Servers act on some kinds by themselves: on definitions
// and on API services, which change what a server serves. The source with the serialized objects has
// the kinds that are built in, and neither of those; to the others a server only reacts with a write
// to the object itself, which is gone by then.
func (s *session) readSerialized(ctx context.Context) {
	for _, role := range term.Roles() {
		found, err := s.host.Serialized(ctx, s.builds[role.Word])
		if err != nil {
			s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf("stored bytes of %s: %v", s.refs[role.Word], err))
		}
		if err != nil || len(found) == 0 {
			continue
		}
		if o := s.given[role.Word]; o.EmulatedVersion != "" || o.MinCompatibilityVersion != "" {
			s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf("stored bytes of %s: it emulates another version, and stores what the source does not say", s.refs[role.Word]))
			continue
		}
		s.serialized[role.Word] = found
	}
}

// keepMade keeps what the servers of a lap showed before it is played. What is played does not depend on
// stored bytes: a lap whose bytes cannot be read has a note.
func (s lapRun) keepMade(m preparation) {
	s.session.rows = withShown(s.session.rows, m)
	switch {
	case m.unread != nil:
		s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf("stored bytes of the lap %s: %v", s.lap, m.unread))
	case len(s.serialized) > 0:
		s.stored = append(s.stored, m.stored)
		s.say("%s", m.stored.Note())
	}
}

// withShown returns rows with those that the answers of a lap show, each once. The rows that are given stay as they
// are: other laps read them.
func withShown(given []sweep.Row, m preparation) []sweep.Row {
	rows := slices.Clone(given)
	at := func(id string) int { return slices.IndexFunc(rows, func(r sweep.Row) bool { return r.ID == id }) }
	for _, r := range m.playable {
		rows[at(r.ID)] = r
	}
	for _, r := range m.rows {
		if at(r.ID) < 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// noteWithout lists the kinds whose stored values are not known.
func (s *session) noteWithout() {
	var without []string
	for _, read := range s.stored {
		without = append(without, read.Without...)
	}
	slices.Sort(without)
	if without = slices.Compact(without); len(without) > 0 {
		s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf("stored bytes of %s: the source has no serialized object", strings.Join(without, ", ")))
	}
}

// addStored adds to rows what was read of stored values. Values that no difference explains get
// rows of their own, if those are in the selected part of the sweep.
func (s *session) addStored(rows []sweep.Row) []sweep.Row {
	return AddStored(rows, s.scope, s.stored)
}

// readBytes reads the values of both releases through the servers of a lap.
func readBytes(ctx context.Context, s lapRun, serialized map[term.Role]map[string]examples.Serialized) (read StoredReading, err error) {
	read.Lap = s.lap
	fixtures := map[term.Role][]Fixture{}
	for role, of := range serialized {
		var without []string
		fixtures[role], without = Fixtures(s.examples[role].Stubs, of, ofScope(s.scope, s.at[role].Resources))
		read.Without = append(read.Without, without...)
	}
	read.Rows, err = ReadFixtures(ctx, storeOf(s.at[term.Old]), storeOf(s.at[term.New]), fixtures[term.Old], fixtures[term.New])
	return read, err
}

// ofScope returns the resources of the kinds that the sweep is about.
func ofScope(own sweep.Scope, all []published.Resource) []published.Resource {
	return slices.DeleteFunc(slices.Clone(all), func(r published.Resource) bool { return !own.HasKind(r.APIVersion, r.Kind) })
}

// storeOf is a lap's server with its store, which no run uses.
func storeOf(at *asked) FixtureRelease {
	return FixtureRelease{Server: at.tried, Resources: at.Resources, Put: at.Etcd.Put, Remove: at.Etcd.Remove}
}
