package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestNightlyObservations: of a whole run, every stored value is shown by
// every release, live or on a scratch store; every watch lives until its server
// drains, shows every change of its kind, and ends for no other reason; every
// LIST and every attempt is answered.
func TestNightlyObservations(t *testing.T) {
	tiers.NeedFirst(t)
	r := newReal(t)
	out := filepath.Join(t.TempDir(), "out")
	r.run("run", newField(t, "emptydir-mode", "testdata/real/loss-group.yaml"), "--pair", pairUnderTest(t), "--out", out).want(t, ExitExpected)
	h, err := history.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	wantEveryPair(t, h)
	wantWatches(t, h)
	forms := map[term.ListForm]int{}
	for _, l := range h.Listings {
		forms[l.Form]++
		if !l.Exchange.Succeeded() || l.Exchange.Revision == 0 || l.Form == term.PagedList && l.Pages < 2 && len(l.Items) > 1 {
			t.Errorf("step %d: LIST %s of %s via %s: %d at %d, %d pages", l.Step, l.Form, l.Kind, l.Replica, l.Exchange.Code, l.Exchange.Revision, l.Pages)
		}
	}
	if len(forms) != 3 || forms[term.CachedList] != forms[term.PagedList] {
		t.Errorf("forms %v", forms)
	}
	attempts := map[term.Attempt]int{}
	for _, o := range h.Operations {
		if o.Purpose != history.Try {
			continue
		}
		attempts[o.Attempt]++
		if !strings.Contains(o.Exchange.Query, "dryRun=All") {
			t.Errorf("step %d: the attempt %s is no dry run: %s", o.Step, o.Attempt, o.Exchange.Query)
		}
	}
	if len(attempts) != len(term.Attempts()) {
		t.Errorf("attempts %v", attempts)
	}
}

// wantEveryPair holds that each release has shown each stored value of a copy.
func wantEveryPair(t *testing.T, h *history.History) {
	t.Helper()
	keys, shown := map[string]string{}, map[string]bool{}
	at := map[int64]string{}
	for _, c := range h.Changes {
		at[c.Revision] = c.Key
	}
	pair := func(role term.Role, copy string, revision int64) string {
		return fmt.Sprint(role, " ", copy, " ", revision)
	}
	for _, o := range h.Operations {
		if o.Purpose == history.Look && o.Exchange.Succeeded() {
			keys[at[o.Exchange.Revision]] = o.Copy
			shown[pair(o.Role, o.Copy, o.Exchange.Revision)] = true
		}
	}
	for _, l := range h.Listings {
		for _, item := range l.Items {
			shown[pair(l.Role, item.Copy, item.Revision)] = true
		}
	}
	for _, w := range h.Watches {
		if w.Event == history.WatchAdded || w.Event == history.WatchModified {
			shown[pair(w.Role, w.Copy, w.Revision)] = true
		}
	}
	tried := 0
	for _, trial := range h.Trials {
		if trial.Trial == history.TrialGet {
			tried++
			shown[pair(trial.Role, trial.Copy, trial.Revision)] = trial.Code == http.StatusOK
		}
	}
	pairs := 0
	for _, c := range h.Changes {
		name := keys[c.Key]
		if name == "" || c.Deleted {
			continue
		}
		for _, role := range []term.Role{term.Old, term.New} {
			pairs++
			if !shown[pair(role, name, c.Revision)] {
				t.Errorf("%s has not shown %s as stored at revision %d", role, name, c.Revision)
			}
		}
	}
	t.Logf("%d pairs, %d of them tried", pairs, tried)
	if pairs < 500 || tried == 0 {
		t.Errorf("%d pairs, %d of them tried: the run has shown nothing", pairs, tried)
	}
}

// wantWatches holds that each watch ends because its server drains.
func wantWatches(t *testing.T, h *history.History) {
	t.Helper()
	open, closed := 0, 0
	for _, w := range h.Watches {
		switch w.Event {
		case history.WatchOpened:
			open++
		case history.WatchError:
			t.Errorf("step %d: WATCH of %s via %s: %d %s", w.Step, w.Kind, w.Replica, w.Code, w.Message)
		case history.WatchClosed:
			closed++
			if w.Message != "the server is draining" {
				t.Errorf("step %d: WATCH of %s via %s closed: %s", w.Step, w.Kind, w.Replica, w.Message)
			}
		}
	}
	if open == 0 || open != closed {
		t.Errorf("%d watches opened, %d closed", open, closed)
	}
}

// opened is a store, by a name that none of its methods has.
type opened = run.Store

// failingStore is a store that reads one key's old values back as garbage.
type failingStore struct {
	opened
	key string
}

func (s failingStore) At(ctx context.Context, key string, revision int64) ([]byte, error) {
	raw, err := s.opened.At(ctx, key, revision)
	if strings.HasSuffix(key, s.key) {
		raw = []byte("k8s\x00garbage")
	}
	return raw, err
}

// TestNightlyGarbage: what no release can decode fails a GET of it, and
// the LISTs and the WATCH of its kind; other values stay readable one by one.
func TestNightlyGarbage(t *testing.T) {
	tiers.NeedFirst(t)
	newReal(t)
	h := playWithFailingStore(t, "testdata/real/unseen.yaml", "config-bystander-002")
	var got []string
	for _, trial := range h.Trials {
		code := fmt.Sprint(trial.Code)
		if trial.Code >= 400 || trial.Error != "" || len(trial.Missing) > 0 {
			code = "not read"
		}
		got = append(got, fmt.Sprint(trial.Role, " ", trial.Trial, " ", trial.Form, " ", trial.Copy, ": ", code))
		t.Logf("%s %s %s %s: %d %s %s %s missing %v, %.1f s", trial.Role, trial.Trial, trial.Form, trial.Copy, trial.Code, trial.Reason,
			trial.Message, trial.Error, trial.Missing, trial.Seconds)
	}
	for _, want := range []string{
		"new get  config-bystander-001: 200", "new get  config-bystander-002: not read", "new get  config-bystander-003: 200",
		"new list cached : not read", "new list consistent : not read", "new list paged : not read", "new watch  : not read",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no trial is %q:\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// playWithFailingStore plays a scenario in this process, over stores whose old values of
// the key come back as garbage.
func playWithFailingStore(t *testing.T, scenario, key string) *history.History {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	s, err := load.Find(scenario)
	if err != nil {
		t.Fatal(err)
	}
	old, new, err := servers.ParsePair(pairUnderTest(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(s, plan.Pair{Old: old.String(), New: new.String()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	a := &App{Out: os.Stderr, Err: os.Stderr}
	builds, err := a.Runner().Servers(ctx, []servers.Reference{old, new})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := rundir.Open(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	return record(ctx, t, dir, p, builds, key)
}

func record(ctx context.Context, t *testing.T, dir *rundir.Dir, p *plan.Plan, made map[term.Role]servers.Build, key string) *history.History {
	t.Helper()
	w, err := history.Create(dir.Path, history.Header{Plan: *p})
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := newApp().NewRuntime(dir.File("secrets"), dir.File("logs"))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close()
	all := engine.Stores{Dir: dir, Builds: (&App{Err: t.Output()}).Builds()}
	err = run.Run(ctx, run.Config{
		Plan: p, Builds: made, Runtime: runtime, Dir: dir.Path, Probes: builder.ProbeDir(), History: w,
		OpenStore: func(ctx context.Context, name string) (run.Store, error) {
			s, err := all.Open(ctx, name)
			return failingStore{s, key}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	h, err := history.Load(dir.Path)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
