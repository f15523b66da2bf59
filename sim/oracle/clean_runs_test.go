package oracle_test

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/oracle/recorded"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// cleanRun is a run that passes, into which defects are written.
type cleanRun struct {
	name     string
	reported func(t *testing.T) *oracletest.Run
	text     string // a text that every bystander carries, and both releases publish
	// defaulted is a value of the same kind with a published default, and after
	// is that default. "": the run has none.
	defaulted, after string
	// appears is where no bystander holds anything, and a default could come.
	appears string
	// noPlace are the injections that fit none of its steps: they are written into another.
	noPlace []string
}

func cleanRuns() []cleanRun {
	return []cleanRun{
		{"a recorded run", recordedFew, `.spec.template.spec.containers[name="app"].image`, "", "", ".spec.template.spec.hostname",
			[]string{"a trial answered 500", "a default in a value's place"}},
		{"a written run", wholeStory, ".spec.colour", ".spec.grain", "fine", ".spec.notes.k", nil},
	}
}

// recordedFew is the recorded run with few copies: those that injections are written into,
// and those of about.
func recordedFew(t *testing.T) *oracletest.Run {
	t.Helper()
	run := recordedOnce(t)
	var touched []string
	for _, step := range touches(run) {
		touched = append(touched, step.Copy)
	}
	return about(run, touched...)
}

// recordedOnce is the recorded run, for tests that edit only what fresh copies.
func recordedOnce(t *testing.T) *oracletest.Run {
	t.Helper()
	whole, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return fresh(whole, t)
}

var (
	// once is the recorded run, read once. It is no test's.
	once = sync.OnceValues(decoded)
	// recordedResult is the result of the whole recorded run.
	recordedResult = sync.OnceValues(func() (result.Result, error) {
		whole, err := once()
		if err != nil {
			return result.Result{}, err
		}
		return found(whole), nil
	})
)

// fewCopies are those of the first findings that meet each line, and of each line by each
// verb, so that each is still met.
func fewCopies(res result.Result) (names []string) {
	type way struct {
		line int
		verb term.Verb
	}
	lines, ways := map[int]int{}, map[way]bool{}
	for _, f := range res.Findings {
		by := way{f.Expectation, f.Verb}
		if lines[f.Expectation]++; lines[f.Expectation] <= 3 || !ways[by] {
			names, ways[by] = append(names, f.Copy), true
		}
	}
	return names
}

// about is the recorded run with few copies: these, some that each expectation is about,
// and those that no step of an upgrade touches.
func about(run *oracletest.Run, names ...string) *oracletest.Run {
	run.T.Helper()
	whole, err := recordedResult()
	if err != nil {
		run.T.Fatal(err)
	}
	names = append(names, fewCopies(whole)...)
	for _, c := range run.History.Header.Plan.Copies {
		if c.Role == term.Untouched || c.Role == term.Control {
			names = append(names, c.Name)
		}
	}
	return oracletest.OfHistory(run.T, recorded.Trim(run.History, names), run.Schemas)
}

// during plays a stage with new servers, and a watch through each.
func during(run *oracletest.Run, name string, a, b term.Role, play func()) {
	run.Stage(name, a, b)
	run.Step(plan.Step{Action: plan.Replace, Replica: "b", Role: b})
	watches := []*oracletest.WatchRecorder{run.Watch("a"), run.Watch("b")}
	run.Observe()
	play()
	run.Observe()
	for _, w := range watches {
		w.CatchUp().Close()
	}
}

// wholeStory is a run with every sort of copy and of observation, and the
// findings that must be.
func wholeStory(t *testing.T) *oracletest.Run {
	const plain = `{"colour": "red", "size": "1", "grain": "rough", "finish": {"tone": "dark"}}`
	const change = `{"colour": "red", "size": "1", "grain": "rough", "finish": {"tone": "dark"}, "shine": {"level": 3}}`
	run := oracletest.NewRun(t)
	w := []*oracletest.WatchRecorder{run.Watch("a"), run.Watch("b")}
	for _, name := range []string{"control-1", "control-2", "control-3", "control-4"} {
		run.Create(name, plain)
	}
	run.Patch("control-1", oracletest.Via("b"))
	run.Put("control-2", oracletest.ReadVia("a"), oracletest.Via("b"))
	run.Observe()
	run.DryRuns("control-1", "control-2")
	for _, one := range w {
		one.CatchUp().Close()
	}
	all := []string{"control-1", "control-2", "control-3", "control-4"}
	make := func(name, spec string) {
		run.Create(name, spec)
		all = append(all, name)
	}
	touch := func(n string) func() {
		return func() {
			run.Patch("bystander-"+n+"1", oracletest.Via("b"))
			run.Put("bystander-"+n+"2", oracletest.ReadVia("a"), oracletest.Via("b"))
			run.Patch("treated-"+n+"1", oracletest.Via("b"))
		}
	}
	during(run, "upgrading 1/2", term.New, term.Old, func() {
		make("untouched-1", change)
		for _, n := range []string{"1", "2", "3"} {
			make("bystander-"+n+"1", plain)
			make("bystander-"+n+"2", plain)
			make("treated-"+n+"1", change)
		}
		touch("1")()
	})
	during(run, "rolled-back", term.Old, term.Old, touch("2"))
	during(run, "re-upgraded", term.New, term.New, touch("3"))
	run.DryRuns(all...)
	run.ReadScratchStores()
	complete(run)
	run.History.Header.Plan.Expect = []scenarios.Expectation{
		{Check: term.CheckNothingLost, Class: scenarios.OneOf[term.Class]{term.Impact}, Cause: scenarios.OneOf[term.Cause]{term.UnknownField}, Via: []term.Role{term.Old}, Path: scenarios.OneOf[string]{".spec.shine"}, Line: 20},
		{Check: term.CheckResurrection, Class: scenarios.OneOf[term.Class]{term.Impact}, Copy: []term.CopyRole{term.Untouched}, Line: 21},
	}
	return run
}

// complete gives scratch stores and watches what a real run records of them: the bytes
// that were read, and the objects that were shown.
func complete(run *oracletest.Run) {
	for i := range run.History.Trials {
		t := &run.History.Trials[i]
		for _, c := range run.History.Changes {
			if t.Trial == history.TrialGet && c.Revision == t.Revision {
				t.Key, t.Value = c.Key, c.Value
			}
		}
	}
	for i := range run.History.Watches {
		w := &run.History.Watches[i]
		for _, c := range run.History.Changes {
			if shows := w.Event == history.WatchAdded || w.Event == history.WatchModified; shows && c.Revision == w.Revision {
				w.Answer = run.Blob(run.Prune(w.Role, run.History.Object(c.Value)))
			}
		}
	}
}

// fresh is a copy of the run that a test can edit.
func fresh(run *oracletest.Run, t testing.TB) *oracletest.Run {
	h := *run.History
	h.Header.Plan.Stages = slices.Clone(h.Header.Plan.Stages)
	for i := range h.Header.Plan.Stages {
		h.Header.Plan.Stages[i].Steps = slices.Clone(h.Header.Plan.Stages[i].Steps)
	}
	h.Operations, h.Changes = slices.Clone(h.Operations), slices.Clone(h.Changes)
	h.Watches, h.Trials = slices.Clone(h.Watches), slices.Clone(h.Trials)
	h.Listings, h.Blobs = slices.Clone(h.Listings), maps.Clone(h.Blobs)
	h.Header.Plan.Expect = slices.Clone(h.Header.Plan.Expect)
	for i := range h.Listings {
		h.Listings[i].Items = slices.Clone(h.Listings[i].Items)
	}
	return oracletest.OfHistory(t, &h, run.Schemas)
}

// found judges a run up to its ledger, which takes a fifth of the time.
func found(run *oracletest.Run) result.Result { return oracle.Find(run.History, run.Schemas)() }
