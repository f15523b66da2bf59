package fuzz

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
)

// TestEnough: a number of objects is refused if a kind, or a version of one through one of
// the releases, gets none; one more is enough, and creates in each.
func TestEnough(t *testing.T) {
	served := func(kinds ...string) *Release {
		r := &Release{}
		for i := 0; i < len(kinds); i += 2 {
			r.Served = append(r.Served, client.Discovered{APIVersion: kinds[i], Kind: kinds[i+1]})
		}
		return r
	}
	for name, c := range map[string]struct {
		old, new *Release
		kinds    []string
		need     int
	}{
		"one kind":           {served("v1", "A"), served("v1", "A"), []string{"A"}, 2},
		"another version":    {served("v1", "A"), served("v1", "A", "v2", "A"), []string{"A"}, 3},
		"two kinds":          {served("v1", "A", "v1", "B"), served("v1", "A", "v1", "B"), []string{"A", "B"}, 4},
		"the first has more": {served("v1", "A", "v1", "B"), served("v1", "A", "v1", "B", "v2", "A"), []string{"A", "B"}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fuzzer{config: Config{Count: c.need - 1}, kinds: c.kinds}
			releases := map[term.Role]*Release{term.Old: c.old, term.New: c.new}
			var request *servers.RequestError
			require.ErrorAs(t, f.enough(releases), &request)
			f.config.Count++
			require.NoError(t, f.enough(releases))
			created := map[string]map[string]bool{}
			for _, o := range f.objects()[:c.need] {
				tr := (&lap{fuzzer: f, releases: releases}).traveller(o)
				if created[tr.Kind] == nil {
					created[tr.Kind] = map[string]bool{}
				}
				created[tr.Kind][string(tr.Origin.Role)+" "+tr.Origin.APIVersion()] = true
			}
			for _, kind := range c.kinds {
				assert.Len(t, created[kind], len(Places(kind, releases)), kind)
			}
			one := 0
			f.config = Config{Count: 1, Only: &one}
			assert.NoError(t, f.enough(releases), "one object was asked for")
		})
	}
}

// TestNothingSent: a kind without sent objects proves nothing, unless a single object was
// requested, which is of another kind.
func TestNothingSent(t *testing.T) {
	for only, want := range map[bool]term.VerdictWord{false: term.Unknown, true: term.Pass} {
		r := &Result{}
		f := &fuzzer{config: Config{Count: 1}, result: r, kinds: []string{"A", "B"}}
		if only {
			f.config.Only = new(int)
		}
		l := &lap{fuzzer: f, releases: map[term.Role]*Release{term.Old: {}, term.New: {}}}
		require.NoError(t, l.conclude(t.Context(), []*journey{{traveller: &Traveller{Trip: Trip{Kind: "A"}}, accepted: true, done: true}}, nil))
		r.judge()
		assert.Equal(t, want, r.Verdict, r.Reason)
	}
}

// TestUnservedKind: a kind that neither release serves in a lap is skipped if another lap
// has it; without any lap the run cannot judge it.
func TestUnservedKind(t *testing.T) {
	for served, want := range map[bool]term.VerdictWord{true: term.Pass, false: term.Unknown} {
		r := &Result{}
		f := &fuzzer{config: Config{Count: 4}, result: r, kinds: []string{"A", "B"}}
		if served {
			r.Laps = []Lap{{Features: "on", Kinds: []KindLap{{Kind: "B", Places: []string{"v1"}, Objects: 2, Accepted: 2}}}}
		}
		has := &Release{Served: []client.Discovered{{APIVersion: "v1", Kind: "A"}}}
		l := &lap{fuzzer: f, plan: lapPlan{name: "off"}, releases: map[term.Role]*Release{term.Old: has, term.New: has}}
		assert.Nil(t, l.traveller(Object{"B", 0}))
		one := &journey{traveller: l.traveller(Object{"A", 0}), accepted: true, done: true}
		two := &journey{traveller: l.traveller(Object{"A", 1}), accepted: true, done: true}
		require.NoError(t, l.conclude(t.Context(), []*journey{one, nil, two, nil}, nil))
		last := r.Laps[len(r.Laps)-1]
		assert.Equal(t, KindLap{Kind: "B"}, last.Kinds[1])
		r.judge()
		assert.Equal(t, want, r.Verdict, r.Reason)
	}
}

// brokenRuntime panics in a goroutine of its caller.
type brokenRuntime struct{ servers.Runtime }

func (brokenRuntime) Start(context.Context, servers.Build, servers.Placement) (servers.Process, error) {
	panic("a mistake")
}

// memoryStore is a store without content that reports whether it was closed.
type memoryStore struct{ closed bool }

func (*memoryStore) Store() servers.Store { return servers.Store{} }
func (s *memoryStore) Close() error       { s.closed = true; return nil }

// TestGuarded: a panic of fuzz itself, in any goroutine, ends the run as an error does, and
// leaves nothing open.
func TestGuarded(t *testing.T) {
	store := &memoryStore{}
	c := Config{Runtime: brokenRuntime{}, Count: 1, OpenStore: func(context.Context, string) (Store, error) { return store, nil }}
	r, err := Run(t.Context(), c)
	var broke *fault.PanicError
	require.ErrorAs(t, err, &broke)
	assert.True(t, store.closed)
	assert.Equal(t, term.Unknown, r.Verdict)

	one := 0
	f := &fuzzer{config: Config{Only: &one}, result: &r, kinds: []string{"A"}}
	l := &lap{fuzzer: f, releases: map[term.Role]*Release{term.Old: nil, term.New: nil}} // no object can be made
	_, err = l.all(t.Context())
	require.ErrorAs(t, err, &broke)
}

// TestAgain: the command that repeats an object names only its kind, however many there
// were, and repeats that very object; for a single served kind it names none.
func TestAgain(t *testing.T) {
	for _, c := range []struct {
		r    Result
		kind string
		want string
	}{
		{Result{Kinds: []string{"A.x", "B.x", "C.x"}, named: true}, "B.x", "fuzz p --seed 7 --kind B.x --only 3"},
		{Result{Kinds: []string{"B.x"}, named: true}, "B.x", "fuzz p --seed 7 --kind B.x --only 3"},
		{Result{Kinds: []string{"B.x"}}, "B.x", "fuzz p --seed 7 --only 3"},
		{Result{Kinds: []string{"B", "B.x"}, named: true}, "B", "fuzz p --seed 7 --kind B. --only 3"},
		{Result{Kinds: []string{"B", "B.x"}, named: true}, "B.x", "fuzz p --seed 7 --kind B.x --only 3"},
	} {
		c.r.Replay = "fuzz p --seed 7"
		assert.Equal(t, c.want, c.r.Again(Object{c.kind, 3}))
	}
	many := &fuzzer{config: Config{Count: 12}, kinds: []string{"A", "B", "C"}}
	three := 3
	alone := &fuzzer{config: Config{Count: 12, Only: &three}, kinds: []string{"B"}}
	assert.Equal(t, []Object{many.objects()[10]}, alone.objects())
	assert.NoError(t, alone.oneKind())
	many.config.Only = &three
	var request *servers.RequestError
	assert.ErrorAs(t, many.oneKind(), &request)
}

// TestNames: a kind can be named with or without its group, and that of the core group with
// a dot at the end.
func TestNames(t *testing.T) {
	for name, want := range map[string][]string{"*": {"B", "B.x", "BC.x"}, "B": {"B", "B.x"}, "B.": {"B"}, "B.x": {"B.x"}, "B.y": nil} {
		var all []string
		for _, kind := range []string{"B", "B.x", "BC.x"} {
			if NamesKind(name, kind) {
				all = append(all, kind)
			}
		}
		assert.Equal(t, want, all, name)
	}
}

// TestOneOfAKind: a kind of which only one object may be stored at a time is fuzzed as any
// other: an object's own copies do not prevent it.
func TestOneOfAKind(t *testing.T) {
	g := &fakeServer{before: func(g *fakeServer, method string, _ map[string]any) int {
		if method == http.MethodPost && len(g.stored) > 0 {
			return http.StatusForbidden
		}
		return 0
	}}
	l := gadgetLap(t, g, 1)
	r := l.rideAll(t)
	assert.Equal(t, term.Pass, r.Verdict, r.Reason)
	assert.Empty(t, g.stored)
}

// TestRefusedOnce: a write back that is refused once and never again is reported and breaks
// nothing; one that is refused whenever the object travels is a violation.
func TestRefusedOnce(t *testing.T) {
	for times, want := range map[int]term.VerdictWord{1: term.Pass, 1000: term.Fail} {
		refused := 0
		g := &fakeServer{before: func(_ *fakeServer, method string, _ map[string]any) int {
			if method == http.MethodPut && refused < times {
				refused++
				return http.StatusForbidden
			}
			return 0
		}}
		l := gadgetLap(t, g, 1)
		r := l.rideAll(t)
		assert.Equal(t, want, r.Verdict, r.Reason)
		if times == 1 {
			assert.Len(t, r.Laps[0].Once, 1)
			assert.Empty(t, r.Findings)
		}
	}
}
