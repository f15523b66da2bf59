package checks_test

import (
	"net/http"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A watch that its server ended, and that was opened again where it left off, is
// one watch: it owes what it owed before.
func TestWatchOpenedAgain(t *testing.T) {
	begin := func() (*oracletest.Run, *oracletest.WatchRecorder) {
		run := oracletest.NewMixed(t)
		w := run.Watch("b") // step 3, revision 10
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Patch("bystander-1")
		run.Delete("bystander-1") // revisions 11, 12, 13
		w.Send(history.WatchAdded, "bystander-1", 11)
		return run, w
	}
	run, w := begin()
	w.Send(history.WatchOpened, "", 11)
	w.Send(history.WatchModified, "bystander-1", 12)
	w.Send(history.WatchDeleted, "bystander-1", 13)
	w.Close()
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("the control: %+v", c)
	}

	run, w = begin()
	w.Send(history.WatchDeleted, "bystander-1", 13)
	w.Send(history.WatchOpened, "", 13)
	run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`)
}

// A WATCH that was closed owes what was stored by then, also by the servers themselves.
func TestWatchOwesWhatWasStoredByItsEnd(t *testing.T) {
	for late, indeterminate := range map[bool]int{true: 1, false: 0} {
		run := oracletest.NewMixed(t)
		w := run.Watch("a")
		run.Create("bystander-1", oracletest.PlainSpec)
		w.CatchUp()
		run.Change("bystander-1", ".metadata.annotations.note", "a server's")
		end := run.Head
		if !late {
			end--
		}
		w.Send(history.WatchClosed, "", end)
		if got := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes).Indeterminate; got != indeterminate {
			t.Errorf("late %t: %d facts are indeterminate, want %d", late, got, indeterminate)
		}
	}
}

// A watch shows each change in order. One that was closed before it had caught
// up may have shown the rest; one that showed later ones skipped some.
func TestWatch(t *testing.T) {
	begin := func(t *testing.T) (*oracletest.Run, *oracletest.WatchRecorder) {
		run := oracletest.NewMixed(t)
		w := run.Watch("b") // step 3, revision 10
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Patch("bystander-1")
		run.Delete("bystander-1") // revisions 11, 12, 13
		return run, w
	}
	run, w := begin(t)
	w.CatchUp().Close()
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("the control: %+v", c)
	}

	run, w = begin(t)
	w.CatchUp(12)
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`),
		`Widget bystander-1: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2) at revision 10, does not send revision 12, and sends revision 13: an informer misses it`)

	run, w = begin(t)
	w.CatchUp(13)
	w.Send(history.WatchBookmark, "", 13)
	run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 6 (upgrading 1/2)`)

	run, w = begin(t)
	w.CatchUp(12, 13).Close()
	oracletest.ExpectVerdict(t, oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes), term.Unknown,
		"2 facts are indeterminate: the WATCH of Widget through b, opened in step 3, was closed before it had sent all changes")

	run, w = begin(t)
	w.CatchUp()
	w.Send(history.WatchModified, "bystander-1", 12)
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage changed unattributed   in step 3 (upgrading 1/2)`),
		`Widget: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2), sent revision 12 after a newer one: an informer takes the older object for what is stored`)
}

// What is stored when the watch's server is gone is not owed by the watch.
func TestWatchOfAServerThatWent(t *testing.T) {
	run := oracletest.NewMixed(t)
	w := run.Watch("a")
	run.Create("bystander-1", oracletest.PlainSpec)
	w.CatchUp().Close()
	run.Stage("rolled-back", term.Old, term.Old)
	run.Patch("bystander-1")
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("%+v", c)
	}
}

// An error event ends a watch: what comes next could not be read. 410 is legal.
func TestWatchThatFails(t *testing.T) {
	run := oracletest.NewMixed(t)
	w := run.Watch("b")
	run.Create("bystander-1", oracletest.PlainSpec)
	w.CatchUp()
	run.Patch("bystander-1")
	w.Fail(500, "unable to decode")
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage undecodable unattributed   in step 5 (upgrading 1/2)`),
		`Widget: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2), ended with the error 500: unable to decode after revision 11; the next change is that of bystander-1 at revision 12; everything stored decodes in every release that may have to read it`)

	run.History.Watches[len(run.History.Watches)-1].Code = 410
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("410: %+v", c)
	}
}

// A watch that shows nothing from a value on that its release cannot read is
// reported once; what comes after it is not owed.
func TestWatchThatStalls(t *testing.T) {
	run := oracletest.NewMixed(t)
	w := run.Watch("b")
	run.Create("bystander-1", oracletest.PlainSpec)
	w.CatchUp()
	touched := run.Patch("bystander-1")
	run.Patch("bystander-1")
	w.Close()
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 2 {
		t.Errorf("the control: %+v", c)
	}
	run.StoredChange("bystander-1").Encoding = "encrypted"
	run.History.Changes[len(run.History.Changes)-2].Encoding = "encrypted"
	oracletest.Fail(run.Exchange(touched, history.Look, "b"), 500, "no key")
	oracletest.Fail(run.Exchange(touched+1, history.Look, "b"), 500, "no key")
	res := run.ExpectFindings(
		`everything-decodes violation storage undecodable key-missing   in step 5 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 5 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 6 (upgrading 1/2)`)
	want := `Widget: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2), sends nothing after revision 11: the next change is that of bystander-1 at revision 12, which this release cannot read; key-missing: the value is encrypted with a key that the release was not given; everything stored decodes in every release that may have to read it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
	if c := oracletest.Check(t, res, term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("%+v", c)
	}
}

// A server that waited to serve opens its watches from a cache that is older
// than they are: it stalls at a value from before the watch.
func TestWatchThatStallsBeforeItOpens(t *testing.T) {
	begin := func(t *testing.T) (*oracletest.Run, int) {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", oracletest.PlainSpec)
		w := run.Watch("b")
		run.History.Watches[len(run.History.Watches)-1].Revision = 10 // the cache's, not the store's
		run.Create("bystander-2", oracletest.PlainSpec)
		w.Close()
		return run, created
	}
	run, _ := begin(t)
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 1 {
		t.Errorf("the control: %+v", c)
	}
	run, created := begin(t)
	run.StoredChange("bystander-1").Encoding = "encrypted"
	oracletest.Fail(run.Exchange(created, history.Look, "b"), 500, "no key")
	res := run.ExpectFindings(
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing   in step 4 (upgrading 1/2)`)
	if c := oracletest.Check(t, res, term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("%+v", c)
	}
}

// A watch that could not be opened since nobody converted is part of an outage. Near twin: a conversion that failed.
func TestWatchWithoutProgram(t *testing.T) {
	for said, want := range map[string][]string{
		"nobody converts: no program runs": nil,
		"operator: panicked":               {`everything-decodes violation storage undecodable conversion-failed   in step 4 (upgrading 1/2)`},
	} {
		run := oneStored(t)
		w := run.Watch("b")
		run.History.Watches = nil
		w.Fail(429, "storage is (re)initializing: failed to list: conversion webhook for example.dev/v1, Kind=Widget failed: "+said)
		w.Close()
		run.ExpectFindings(want...)
	}
	run := oneStored(t)
	w := run.Watch("b")
	w.Fail(429, "storage is (re)initializing: failed to list: conversion webhook for example.dev/v1, Kind=Widget failed: nobody converts: no program runs")
	w.Close()
	run.ExpectFindings()
}

// A watch that could not be opened shows nothing; what it would stumble over is
// named where it is known.
func TestWatchThatIsRefused(t *testing.T) {
	run := oneStored(t)
	w := run.Watch("b")
	run.History.Watches = nil
	w.Fail(429, "storage is (re)initializing")
	w.Close()
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`),
		`Widget: the WATCH through b (v1.0.0) of step 4 (upgrading 1/2) could not be opened: 429: storage is (re)initializing; everything stored decodes in every release that may have to read it`)
	oracletest.Fail(run.Exchange(3, history.Look, "b"), 500, "unable to decode")
	res := run.ExpectFindings(
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`)
	want := `Widget: the WATCH through b (v1.0.0) of step 4 (upgrading 1/2) could not be opened: 429: storage is (re)initializing: it holds bystander-1, which this release cannot read; everything stored decodes in every release that may have to read it`
	if got := res.Findings[1].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A watch that was being opened when the run was interrupted is nobody's fault;
// of a run that finished it is reported.
func TestWatchThatTheRunCutOff(t *testing.T) {
	for _, interrupted := range []bool{true, false} {
		run := oneStored(t)
		w := run.Watch("b")
		run.History.Watches = nil
		w.Fail(0, "context canceled")
		w.Close()
		if interrupted {
			run.History.End = &history.End{Outcome: history.Interrupted}
		}
		res, _ := run.Judge()
		if c := oracletest.Check(t, res, term.CheckEverythingDecodes); (c.Indeterminate == 1) != interrupted || (c.Findings == 0) != interrupted {
			t.Errorf("interrupted %t: %+v", interrupted, c)
		}
	}
}

// A watch of custom resources that cannot continue while their definition is replaced says nothing
// about what is stored, if the same server opens a watch of them later.
func TestWatchOfARedefinedKind(t *testing.T) {
	const reinitializing = "storage is (re)initializing"
	finding := `everything-decodes violation storage undecodable unattributed   in step 2 (old)`
	for _, c := range []struct {
		name  string
		begin func(*testing.T) *oracletest.Run
		opens bool // a watch opens later
		want  []string
	}{
		{name: "it opens later", begin: oracletest.NewManifests, opens: true},
		{name: "it never opens again", begin: oracletest.NewManifests, want: []string{finding}},
		{name: "servers of other kinds", begin: withoutDefinitions, opens: true, want: []string{finding}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := c.begin(t)
			w := run.Watch("a")
			w.Fail(http.StatusTooManyRequests, reinitializing)
			w.Close()
			run.Stage("new", term.New, term.New)
			if c.opens {
				run.Watch("a")
			}
			run.ExpectFindings(c.want...)
		})
	}
}

// withoutDefinitions is a run of NewManifests whose releases bring no definition.
func withoutDefinitions(t *testing.T) *oracletest.Run {
	run := oracletest.NewManifests(t)
	for role, release := range run.History.Releases {
		release.Defines = nil
		run.History.Releases[role] = release
	}
	return run
}

// TestWatchOfAWithdrawnVersion: a watch of a version that the definitions of the next release do not have ends as soon as these
// are installed, while its server still runs. Near twins: the next release has the version, servers of other kinds, and a
// watch after which nothing is rolled out.
func TestWatchOfAWithdrawnVersion(t *testing.T) {
	finding := `everything-decodes violation storage lost unattributed   in step 2 (old)`
	for _, c := range []struct {
		name                string
		begin               func(*testing.T) *oracletest.Run
		withdrawn, replaced bool
		want                []string
	}{
		{name: "withdrawn", begin: oracletest.NewManifests, withdrawn: true, replaced: true},
		{name: "served by both", begin: oracletest.NewManifests, replaced: true, want: []string{finding}},
		{name: "servers of other kinds", begin: withoutDefinitions, withdrawn: true, replaced: true, want: []string{finding}},
		{name: "nothing is rolled out", begin: oracletest.NewManifests, withdrawn: true, want: []string{finding}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := c.begin(t)
			if c.withdrawn {
				run.Unserve(term.New)
			}
			w := run.Watch("a")
			w.Fail(http.StatusNotFound, "404 page not found")
			w.Close()
			if c.replaced {
				run.Stage("new", term.New, term.New)
			}
			run.ExpectFindings(c.want...)
		})
	}
}
