package checks_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// discovered makes a step one of a client that discovers.
func discovered(run *oracletest.Run, step int, word term.Discovery, from term.Role) int {
	at := run.PlannedStep(step)
	at.APIVersion, at.Discovers = string(word), from
	return step
}

// A version that is preferred by the release that introduces it: who discovers
// it there is answered 404 elsewhere; who keeps it, after the rollback too. Once
// the old release serves it, the same calls are answered.
func TestPreferredAtOnce(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	play := func(preferred string, oldServes ...string) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade, term.Rollback)
		run.Prefer(term.Old, v1, oldServes...)
		run.Prefer(term.New, preferred, v1, v2)
		code := func(*oracletest.Call) {}
		if preferred == v2 && len(oldServes) == 1 {
			code = oracletest.Refused(404, "the server could not find the requested resource")
		}
		run.Create("control-1", oracletest.PlainSpec)
		run.Create("control-2", oracletest.PlainSpec)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Create("bystander-2", oracletest.PlainSpec)
		run.Create("bystander-3", oracletest.PlainSpec)
		discovered(run, run.Put("control-1"), term.Preferred, term.Old)
		discovered(run, run.Put("control-2"), term.OncePreferred, term.Old)
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe()
		discovered(run, run.Put("bystander-1", oracletest.ReadVia("a"), oracletest.Via("b"), code), term.Preferred, term.New) // step 11
		run.Stage("rolled-back", term.Old, term.Old)
		kept := discovered(run, run.Put("bystander-2", oracletest.ReadVia("a"), oracletest.Via("b"), code), term.OncePreferred, term.New) // step 13
		if preferred == v2 && len(oldServes) == 1 {                                                                                       // nothing is written where nothing can be read
			oracletest.Fail(run.Exchange(kept, history.Read, "a"), 404, "the server could not find the requested resource")
			unmade(run, kept)
		}
		discovered(run, run.Put("bystander-3"), term.Preferred, term.Old)
		run.Observe()
		return run
	}
	play(v1, v1).ExpectFindings()
	play(v2, v1, v2).ExpectFindings()
	play(v2, v1).ExpectFindings(
		`rule-1 violation rule-1 refused version-not-served bystander-1  in step 11 (upgrading 1/2)`,
		`rule-1 violation rule-1 refused version-not-served bystander-2  in step 13 (rolled-back)`)
}

// A version of the group that does not serve the kind answers 404, which says nothing of
// what is stored. Near miss: it serves the kind, so the object is gone.
func TestVersionServedWithoutTheKind(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	for serves, want := range map[bool][]string{
		false: {`answers violation rule-1 refused version-not-served bystander-1  in step 5 (upgrading 1/2)`},
		true:  {`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`},
	} {
		run := oracletest.NewRun(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			run.Prefer(role, v1, v1, v2)
			if role == term.New || serves {
				run.PublishV2(role)
			}
		}
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe()
		put := discovered(run, run.Put("bystander-1", oracletest.ReadVia("b"), oracletest.Via("b")), term.OncePreferred, term.New) // step 5
		oracletest.Fail(run.Exchange(put, history.Read, "b"), 404, "the server could not find the requested resource")
		unmade(run, put)
		release := run.History.Releases[term.New]
		release.Preferred = map[string]string{"example.dev": v2}
		run.History.Releases[term.New] = release
		run.Observe()
		run.ExpectFindings(want...)
	}
}

// unmade takes out the act of a step that came no further than its read.
func unmade(run *oracletest.Run, step int) {
	run.History.Operations = slices.DeleteFunc(run.History.Operations, func(o history.Operation) bool {
		return o.Step == step && o.Purpose != history.Read
	})
}

// A client that takes the version which the new release prefers is answered 404 by an old
// server. Where the old release serves the kind in another version, discovery has led the
// client astray, whatever the object uses: that breaks rule-1. Where the old release serves
// the kind in no version, the client uses what came with the new release.
func TestDiscoveredVersionThatIsNotServed(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	play := func(name, spec string, oldServes bool, options ...oracletest.Option) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade, term.Rollback)
		run.Prefer(term.Old, v1, v1)
		run.Prefer(term.New, v2, v1, v2)
		run.PublishV2(term.New)
		if !oldServes {
			old := run.History.Releases[term.Old]
			old.Resources = slices.DeleteFunc(oracletest.Resources(), func(r history.Resource) bool { return r.Kind == "Widget" })
			run.History.Releases[term.Old] = old
		}
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create(name, spec)
		run.Stage("rolled-back", term.Old, term.Old)
		gone := []oracletest.Option{oracletest.Refused(404, "the server could not find the requested resource"), oracletest.Via("b")}
		discovered(run, run.Get(name, append(gone, options...)...), term.OncePreferred, term.New) // step 5
		return run
	}
	const (
		led   = `answers violation rule-1 refused version-not-served %s  in step 5 (rolled-back)`
		ahead = `answers impact rule-3 refused version-not-served %s  in step 5 (rolled-back)`
	)
	for _, name := range []string{"bystander-1", "treated-1"} {
		spec := map[string]string{"bystander-1": oracletest.PlainSpec, "treated-1": oracletest.ShineSpec}[name]
		for _, client := range []term.Client{term.Dynamic, term.OldTyped} {
			play(name, spec, true, oracletest.By(client)).ExpectFindings(fmt.Sprintf(led, name))
			play(name, spec, false, oracletest.By(client)).ExpectFindings(fmt.Sprintf(ahead, name))
			play(name, spec, true, oracletest.By(client), oracletest.Respond(scenarios.Respond{Code: 404})).ExpectFindings()
		}
	}
}

// A line that names a version which came with the new release is answered 404 by an old
// server, which is an impact of who asks for it; an expectation meets it, or a respond.
// Near misses: a version that the old release serves too; one that the new release no
// longer serves, which breaks who asked for it; and any other answer.
func TestNamedVersionThatIsNotServed(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	gone := oracletest.Refused(404, "the server could not find the requested resource")
	play := func(old, new []string, via string, options ...oracletest.Option) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		run.Prefer(term.Old, v1, old...)
		run.Prefer(term.New, v1, new...)
		for role, served := range map[term.Role][]string{term.Old: old, term.New: new} {
			if slices.Contains(served, v2) {
				run.PublishV2(role)
			}
		}
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe()
		run.NameVersion(run.Get("bystander-1", append(options, func(a *oracletest.Call) { a.Step.Via = via })...), v2) // step 5
		run.Observe()
		return run
	}
	both, one := []string{v1, v2}, []string{v1}
	const ahead = `answers impact rule-3 refused version-not-served bystander-1  in step 5 (upgrading 1/2)`
	play(one, both, "b", gone).ExpectFindings(ahead)
	play(nil, both, "b", gone).ExpectFindings(ahead) // it serves none of the versions that the plan asks for
	play(one, both, "b", gone, oracletest.Respond(scenarios.Respond{Code: 404})).ExpectFindings()
	play(one, both, "a").ExpectFindings()
	play(both, both, "b", gone).ExpectFindings(`answers violation rule-1 refused unattributed bystander-1  in step 5 (upgrading 1/2)`)
	play(both, one, "a", gone).ExpectFindings(`answers violation rule-1 refused version-not-served bystander-1  in step 5 (upgrading 1/2)`)
	play(one, both, "b", oracletest.Refused(500, "oops")).ExpectFindings(`answers violation rule-1 failed unattributed bystander-1  in step 5 (upgrading 1/2)`)
}
