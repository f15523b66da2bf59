package observe

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// readTest is a reader of a fake server.
type readTest struct {
	*reader
	tt    *testing.T
	world *runtest.World
	dir   string
}

// reading is a reader whose server answers watches with the handler.
func reading(t *testing.T, answer http.HandlerFunc) *readTest {
	t.Helper()
	w := runtest.NewWorld(t)
	w.Serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("watch") == "" {
			return false
		}
		answer(rw, r)
		return true
	}
	p := runtest.SmallPlan(t, runtest.Small)
	dir, h := runtest.Writing(t, p)
	k := fleet.NewKnown(p)
	k.ByRole[term.Old] = fleet.Release{Said: history.Release{Version: "v1", Resources: []history.Resource{runtest.Gadget}}}
	rec := NewRecorder(k, h)
	server := w.NewProcess(runtest.Builds()[term.Old], "trial-old", "store")
	t.Cleanup(func() { server.End("stopped", nil) })
	conn, err := fleet.Connect(server, 0)
	require.NoError(t, err)
	of := &Values{Known: k, Recorder: rec, Lists: NewLists(k, rec), Within: time.Second}
	return &readTest{
		reader: &reader{t: &trials{of: of, step: 4, role: term.Old}, scratchServer: &scratchServer{conn: conn, process: server}},
		tt:     t, world: w, dir: dir,
	}
}

func (r *readTest) load() *history.History {
	return runtest.Unfinished(r.tt, r.dir, r.t.of.Recorder.History)
}

// trickle is a stream whose lines arrive slowly, and which ends with its context.
type trickle struct {
	ctx   context.Context
	every time.Duration
	lines []string
}

func (s *trickle) Next() ([]byte, error) {
	if len(s.lines) == 0 {
		<-s.ctx.Done()
		return nil, s.ctx.Err()
	}
	time.Sleep(s.every)
	line := s.lines[0]
	s.lines = s.lines[1:]
	return []byte(line), nil
}

// TestTricklingWatch: a watch may take long while events arrive. Copies that it has not
// shown after a while without events are given up, not lost.
func TestTricklingWatch(t *testing.T) {
	l := reading(t, runtest.Endless)
	l.t.of.Within = time.Second
	for _, c := range []struct {
		names, missing []string
		gaveUp         bool
		took           time.Duration
	}{
		{[]string{"x0", "x1", "x2", "x3"}, nil, false, 3600 * time.Millisecond},
		{[]string{"x3", "x4"}, []string{"x4"}, true, 4600 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancelCause(t.Context())
			defer end(nil)
			stream := &trickle{ctx: ctx, every: 900 * time.Millisecond}
			for i := range 4 {
				stream.lines = append(stream.lines, runtest.Added(fmt.Sprint("x", i), i+1))
			}
			began, told := time.Now(), history.Trial{}
			l.follow(ctx, end, stream, &told, c.names)
			assert.Equal(t, c.missing, told.Missing)
			assert.Equal(t, c.gaveUp, told.GaveUp)
			assert.Equal(t, c.took, time.Since(began))
			assert.Empty(t, told.Error)
		})
	}
}

// TestLateList: a LIST from a cache that is older than the store is late; one that is not
// older omits the missing objects.
func TestLateList(t *testing.T) {
	for revision, late := range map[int]bool{8: true, 9: false} {
		l := reading(t, runtest.Endless)
		l.world.Answer = func(_, _, _ string) (int, string) {
			return 200, fmt.Sprintf(`{"kind":"GadgetList","metadata":{"resourceVersion":"%d"},"items":[]}`, revision)
		}
		l.t.of.Within, l.reached = 20*time.Millisecond, 9
		require.NoError(t, l.list(t.Context(), runtest.Gadget, term.CachedList, []string{"x0"}))
		trial := l.load().Trials[0]
		assert.Equal(t, []string{"x0"}, trial.Missing)
		assert.Equal(t, late, trial.GaveUp, revision)
	}
}

// TestHung: a server that does not answer in time gets no more requests.
func TestHung(t *testing.T) {
	assert.ErrorIs(t, hung(client.Answer{Err: os.ErrDeadlineExceeded}), errSilent)
	assert.NoError(t, hung(client.Answer{Err: io.EOF}))
	assert.NoError(t, hung(client.Answer{Code: 500}))
}

func (s *trickle) Panic() *client.Panic { return nil }

// TestTrialsRecordPanics: the record of a WATCH over a scratch store that breaks off has
// the panic from the server's log, if the log has one.
func TestTrialsRecordPanics(t *testing.T) {
	for _, logged := range []*client.Panic{{Value: "nil", Function: "x.list", Line: "x/y.go:7"}, nil} {
		l := reading(t, runtest.BreakingOff)
		l.conn = runtest.Logging(t, l.process, logged)
		require.NoError(t, l.watch(t.Context(), runtest.Gadget, []string{"x-treated-001", "x-treated-002"}))
		trial := l.load().Trials[0]
		assert.Equal(t, (*history.Panic)(logged), trial.Panic)
		assert.NotEmpty(t, trial.Error)
	}
}
