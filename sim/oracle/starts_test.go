package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// A start over what is stored is held against those over nothing, however many
// were slow; and the time that a server was held off its store does not count.
func TestSlowStarts(t *testing.T) {
	story := func(t *testing.T, started ...history.Server) *story {
		s := mixed(t)
		s.create("bystander-1", plainSpec)
		for _, replica := range []string{"a", "b"} {
			s.h.Servers = append(s.h.Servers, history.Server{Step: 1, Replica: replica, Role: term.Old, Version: oldVersion, Event: history.Ready, Seconds: 2})
		}
		for _, one := range started {
			one.Step, one.Replica, one.Role, one.Version, one.Event = 2, "a", term.New, newVersion, history.Ready
			s.h.Servers = append(s.h.Servers, one)
		}
		return s
	}
	slow, held := history.Server{Seconds: 61}, history.Server{Seconds: 61, Held: 58.5}
	const one = `everything-decodes violation storage failed unattributed   in step 2 (upgrading 1/2)`
	story(t, slow, slow, slow, slow).finds(one, one, one, one)
	story(t, held, held).finds()
	story(t, history.Server{Seconds: 29}).finds() // what a busy machine does
	message(t, story(t, slow).finds(one),
		`the server of a (v2.0.0) that started in step 2 (upgrading 1/2) was ready after 61.0 s only, where the run's first servers took 2.0 s; everything stored decodes in every release that may have to read it`)

	slow.Shared = true // by whose objects?
	verdict(t, check(t, story(t, slow).finds(), term.CheckEverythingDecodes), term.Unknown,
		"1 facts are indeterminate: a server that several runs share was slow, or did not start, and whose objects caused it is not known: run with --isolate")
	story(t, history.Server{Seconds: 29, Shared: true}).finds()
	slow.Shared = false

	s := story(t, slow)
	s.h.Servers = s.h.Servers[2:]
	verdict(t, check(t, s.finds(), term.CheckEverythingDecodes), term.Unknown,
		"1 facts are indeterminate: the record lacks the start times of the first servers, so slow starts are not known")
}

// How long a start takes is known from servers that were ready, and by no other event.
func TestUsualStartIsOfReadyServers(t *testing.T) {
	for taken, want := range map[float64][]string{
		35: nil,
		61: {`everything-decodes violation storage failed unattributed   in step 2 (upgrading 1/2)`},
	} {
		s := mixed(t)
		s.create("bystander-1", plainSpec)
		for _, server := range []history.Server{
			{Step: 1, Event: history.Ready, Seconds: 4},
			{Step: 1, Event: history.Starting}, {Step: 1, Event: history.Starting}, {Step: 1, Event: history.Stopped, Seconds: 900},
			{Step: 2, Event: history.Ready, Seconds: taken},
		} {
			server.Replica, server.Role, server.Version = "a", s.serving["a"], newVersion
			s.h.Servers = append(s.h.Servers, server)
		}
		s.finds(want...)
	}
}
