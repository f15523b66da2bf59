package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A server that does not get ready, since it does not read what is stored, is reported
// once for its release, whatever it serves; one that gets ready is not.
func TestServerThatDoesNotGetReady(t *testing.T) {
	begin := func(lacks string) *oracletest.Run {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", oracletest.PlainSpec)
		if lacks != "" {
			run.StoredChange("bystander-1").Encoding = "encrypted"
			oracletest.Fail(run.Exchange(created, history.Look, "b"), 500, "no key")
		}
		for _, replica := range []string{"a", "b"} {
			run.History.Servers = append(run.History.Servers, history.Server{Step: 1, Replica: replica, Role: term.Old, Version: oracletest.OldVersion, Event: history.Ready, Seconds: 2})
		}
		for range 2 {
			run.History.Servers = append(run.History.Servers, history.Server{Step: 2, Replica: "b", Role: term.Old, Version: oracletest.OldVersion, Event: history.Ready, Seconds: 5, Lacks: lacks})
		}
		return run
	}
	begin("").ExpectFindings()
	res := begin("[-]informer-sync failed: a LIST of /apis/example.dev/v1/widgets is answered 500").ExpectFindings(
		`everything-decodes violation storage undecodable key-missing   in step 2 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 3 (upgrading 1/2)`)
	want := `the server of b (v1.0.0) that started in step 2 (upgrading 1/2) does not become ready: [-]informer-sync failed: a LIST of /apis/example.dev/v1/widgets is answered 500; the run stopped waiting and went on with the server as it is, where a roll-out that waits for readiness would stop; key-missing: the value is encrypted with a key that the release was not given; everything stored decodes in every release that may have to read it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A server that waits only for caches becomes ready a minute later: it is late, and does not stay unready, as a run that
// waited for it would have seen.
func TestServerThatSettles(t *testing.T) {
	for settles, want := range map[bool]string{true: "is ready only after a minute", false: "does not become ready"} {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", oracletest.PlainSpec)
		run.StoredChange("bystander-1").Encoding = "encrypted"
		oracletest.Fail(run.Exchange(created, history.Look, "b"), 500, "no key")
		run.History.Servers = append(run.History.Servers, history.Server{Step: 2, Replica: "b", Role: term.Old, Version: oracletest.OldVersion, Event: history.Ready, Seconds: 5, Lacks: "a LIST", Settles: settles})
		res := run.ExpectFindings(
			`everything-decodes violation storage undecodable key-missing   in step 2 (upgrading 1/2)`,
			`everything-decodes violation storage undecodable key-missing bystander-1  in step 3 (upgrading 1/2)`)
		assert.Contains(t, res.Findings[0].Message, want)
	}
}

// Several servers start at once over what their release cannot read, and which of them
// is seen not to get ready, or takes long, is chance. It is reported once, for the roll-out
// that is the first to start a server over it, with what keeps a LIST from being read.
func TestDegradedStartIsOfTheRollout(t *testing.T) {
	const lacks = "[-]storage-readiness failed: a LIST of /apis/example.dev/v1/widgets is answered 500"
	ready := func(step int, replica string, role term.Role) history.Server {
		return history.Server{Step: step, Replica: replica, Role: role, Version: oracletest.NewVersion, Event: history.Ready, Seconds: 2}
	}
	degraded := func(s history.Server) history.Server { s.Lacks = lacks; return s }
	slow := func(s history.Server) history.Server { s.Seconds = 61; return s }
	as := func(s history.Server) history.Server { return s }
	for _, c := range []struct {
		name          string
		first, second func(history.Server) history.Server
		stored, want  string
	}{
		{"both", degraded, degraded, "example.dev/v2", "undecodable storage-version"},
		{"the second alone", as, degraded, "example.dev/v2", "undecodable storage-version"},
		{"one is slow", slow, degraded, "example.dev/v2", "undecodable storage-version"},
		{"both are slow", slow, slow, "example.dev/v2", "undecodable storage-version"},
		{"slow over what can be read", slow, as, "example.dev/v1", "failed unattributed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewRun(t)
			laterVersion(run, term.Old)
			createLater(run, "bystander-1")
			run.StoredChange("bystander-1").APIVersion = c.stored
			run.Stage("upgrading 1/2", term.New, term.Old)
			first := run.Steps
			run.Stage("new", term.New, term.New)
			run.History.Servers = []history.Server{
				ready(1, "a", term.Old), c.second(ready(run.Steps, "b", term.New)), c.first(ready(first, "a", term.New)),
			}
			run.ExpectFindings("everything-decodes violation storage " + c.want + "   in step 3 (upgrading 1/2)")
		})
	}
}

// A start over what is stored is held against those over nothing, however many
// were slow; and the time that a server was held off its store does not count.
func TestSlowStarts(t *testing.T) {
	begin := func(t *testing.T, started ...history.Server) *oracletest.Run {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		for _, replica := range []string{"a", "b"} {
			run.History.Servers = append(run.History.Servers, history.Server{Step: 1, Replica: replica, Role: term.Old, Version: oracletest.OldVersion, Event: history.Ready, Seconds: 2})
		}
		for _, one := range started {
			one.Step, one.Replica, one.Role, one.Version, one.Event = 2, "a", term.New, oracletest.NewVersion, history.Ready
			run.History.Servers = append(run.History.Servers, one)
		}
		return run
	}
	slow, held := history.Server{Seconds: 61}, history.Server{Seconds: 61, Held: 58.5}
	const one = `everything-decodes violation storage failed unattributed   in step 2 (upgrading 1/2)`
	begin(t, slow, slow, slow, slow).ExpectFindings(one, one, one, one)
	begin(t, held, held).ExpectFindings()
	begin(t, history.Server{Seconds: 29}).ExpectFindings() // what a busy machine does
	oracletest.ExpectOnlyMessage(t, begin(t, slow).ExpectFindings(one),
		`the server of a (v2.0.0) that started in step 2 (upgrading 1/2) was ready after 61.0 s only, where the run's first servers took 2.0 s; everything stored decodes in every release that may have to read it`)

	slow.Shared = true // by whose objects?
	oracletest.ExpectVerdict(t, oracletest.Check(t, begin(t, slow).ExpectFindings(), term.CheckEverythingDecodes), term.Unknown,
		"1 fact is indeterminate: a server that several runs share was slow, or did not start, and whose objects caused it is not known: run with --isolate")
	begin(t, history.Server{Seconds: 29, Shared: true}).ExpectFindings()
	slow.Shared = false

	run := begin(t, slow)
	run.History.Servers = run.History.Servers[2:]
	oracletest.ExpectVerdict(t, oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes), term.Unknown,
		"1 fact is indeterminate: the record lacks the start times of the first servers, so slow starts are not known")
}

// How long a start takes is known from servers that were ready, and by no other event.
func TestUsualStartIsOfReadyServers(t *testing.T) {
	for taken, want := range map[float64][]string{
		35: nil,
		61: {`everything-decodes violation storage failed unattributed   in step 2 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		for _, server := range []history.Server{
			{Step: 1, Event: history.Ready, Seconds: 4},
			{Step: 1, Event: history.Starting}, {Step: 1, Event: history.Starting}, {Step: 1, Event: history.Stopped, Seconds: 900},
			{Step: 2, Event: history.Ready, Seconds: taken},
		} {
			server.Replica, server.Role, server.Version = "a", run.Serving["a"], oracletest.NewVersion
			run.History.Servers = append(run.History.Servers, server)
		}
		run.ExpectFindings(want...)
	}
}
