package observe

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// runsOfNone has no runs.
type runsOfNone struct{ fleet.Runs }

func (runsOfNone) Collections(term.Role) []string { return nil }

// holding returns a prewarmed server over a fake store, which becomes ready when it may.
func holding(t *testing.T, ready chan struct{}) (*runtest.World, *Decoding, *prewarmed) {
	t.Helper()
	w := runtest.NewWorld(t)
	w.OnStart = func(ctx context.Context, _ string) error {
		select {
		case <-ready:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ctx, cancel := context.WithCancel(runtest.Bounded(t))
	t.Cleanup(cancel)
	p := runtest.SmallPlan(t, runtest.Small)
	d := NewDecoding(DecodingConfig{
		Lead: &fleet.Lead{Known: fleet.NewKnown(p), Builds: runtest.Builds(), Options: fleet.NewOptions(p, runtest.Builds(), w, nil)},
		Runs: runsOfNone{}, Runtime: w, Open: w.OpenStore,
	})
	d.heldWithin = time.Minute
	s, err := d.hold(ctx, term.New)
	require.NoError(t, err)
	return w, d, s
}

// TestPrewarmedWaits: the server starts at once, and gets its store only when it is needed.
func TestPrewarmedWaits(t *testing.T) {
	ready := make(chan struct{})
	w, _, s := holding(t, ready)
	w.Until(runtest.Bounded(t), func() bool { return len(w.Seen("start trial-new")) == 1 })
	assert.Len(t, w.Seen("start trial-new"), 1)
	assert.Empty(t, w.Seen("opened gate"))
	assert.True(t, s.waits())
	close(ready)
	process, _, err := s.release()
	require.NoError(t, err)
	assert.Len(t, w.Seen("opened gate"), 1)
	process.Kill()
}

// TestPrewarmedHeldTooLong: a server that was held for too long, or that exited meanwhile,
// is not used: its end says nothing about any value.
func TestPrewarmedHeldTooLong(t *testing.T) {
	_, d, s := holding(t, make(chan struct{}))
	s.expires.Reset(0)
	<-s.done
	assert.False(t, s.waits())
	d.prewarmed.byRole[term.New] = s
	assert.Same(t, s, d.takePrewarmed(term.New))
	assert.Nil(t, d.takePrewarmed(term.New), "it is taken once")
}

// TestPrewarmedDismissed: a server that was not taken ends with the run.
func TestPrewarmedDismissed(t *testing.T) {
	w, d, s := holding(t, make(chan struct{}))
	d.prewarmed.byRole[term.New] = s
	require.NoError(t, d.DismissPrewarmed())
	<-s.done
	assert.Len(t, w.Seen("closed gate"), 1)
	assert.Nil(t, d.takePrewarmed(term.New))
}

// TestPrewarmsCertainTrials: a server starts early for a value that its release can no longer show: one that was
// overwritten, or of a release that does not serve. What a key holds may still be shown by a replica.
func TestPrewarmsCertainTrials(t *testing.T) {
	const unseen = "name: small\nabout: x\nobjects: {x: {bystander: bystander.yaml}}\njourney: [upgrade]\nplay:\n- {create: x, client: dynamic, via: old}\n"
	p := runtest.SmallPlan(t, unseen)
	require.NotEmpty(t, p.Copies)
	name := p.Copies[0].Name
	for what, c := range map[string]struct {
		overwritten, serves bool
		starts              int
	}{
		"a newest value, and a replica serves": {false, true, 0},
		"a newest value, and none serves":      {false, false, 1},
		"an overwritten value":                 {true, true, 1},
	} {
		t.Run(what, func(t *testing.T) {
			m := newMemory()
			change := func(revision int64) {
				m.note(history.Record{Change: &history.Change{Revision: revision, Key: "/x/" + name}})
			}
			shows := func(role term.Role, revision int64) {
				m.resembles("d", "example.dev/v1", likeness{1})
				m.note(history.Record{Operation: &history.Operation{Copy: name, Role: role, Purpose: history.Look,
					Exchange: history.Exchange{Method: "GET", Code: 200, Answer: "d", Revision: revision}}})
			}
			change(1)
			shows(term.Old, 1)
			if c.overwritten {
				change(2)
				shows(term.Old, 2)
				shows(term.New, 2)
			}
			w := runtest.NewWorld(t)
			known := fleet.NewKnown(p)
			for _, role := range []term.Role{term.Old, term.New} {
				known.ByRole[role] = fleet.Release{Said: history.Release{Resources: []history.Resource{{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets"}}}}
			}
			d := NewDecoding(DecodingConfig{
				Lead: &fleet.Lead{Known: known, Builds: runtest.Builds(), Options: fleet.NewOptions(p, runtest.Builds(), w, nil)},
				Runs: runsOfNone{}, Runtime: w, Open: w.OpenStore,
			})
			live := []*fleet.Replica{{Role: term.Old}}
			if c.serves {
				live = append(live, &fleet.Replica{Role: term.New})
			}
			d.Prewarm(runtest.Bounded(t), []*Values{{Known: known, Recorder: &Recorder{Memory: m}}}, live)
			s := d.takePrewarmed(term.New)
			assert.Equal(t, c.starts == 1, s != nil)
			if s != nil {
				<-s.done
				require.NoError(t, s.giveUp())
			}
			assert.Len(t, w.Seen("start trial-new"), c.starts)
			assert.Empty(t, w.Seen("start trial-old"), "the old release has shown all values")
		})
	}
}
