package observe

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// watched is what watches need in tests: one replica over a fake server.
type watchTest struct {
	t       *testing.T
	world   *runtest.World
	dir     string
	known   *fleet.Known
	history *history.Writer
	lists   *Lists
	replica *fleet.Replica
	watches *Watches
	notes   []string
}

// watching is a run with one replica over a fake server, which answers watches with the
// handler.
func watching(t *testing.T, answer http.HandlerFunc) *watchTest {
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
	x := &watchTest{t: t, world: w, known: fleet.NewKnown(p)}
	x.dir, x.history = runtest.Writing(t, p)
	rec := NewRecorder(x.known, x.history)
	x.lists = NewLists(x.known, rec)
	x.watches = NewWatches(t.Context(), WatchConfig{
		Known: x.known, Recorder: rec, Sync: func(ctx context.Context) error { return context.Cause(ctx) },
		Note: func(text string) { x.notes = append(x.notes, text) }, Fail: func(err error) { t.Error(err) },
	})
	x.known.ByRole[term.Old] = fleet.Release{Said: history.Release{Version: "v1", Resources: []history.Resource{runtest.Gadget}}}
	server := w.NewProcess(runtest.Builds()[term.Old], "a-1", "store")
	t.Cleanup(func() { server.End("stopped", nil); x.watches.Close() })
	conn, err := fleet.Connect(server, 0)
	require.NoError(t, err)
	x.replica = &fleet.Replica{Name: "a", Role: term.Old, Conn: conn, Process: server}
	return x
}

// add returns a watcher of the gadgets.
func (x *watchTest) add(step int) *watcher { return x.watches.add(step, x.replica, runtest.Gadget) }

// shows records that the replica showed a copy at a revision.
func (x *watchTest) shows(name string, revision int64) {
	require.NoError(x.t, x.watches.Recorder.Record(history.Record{Operation: &history.Operation{
		Copy: name, Role: term.Old, Purpose: history.Look, Exchange: history.Exchange{Method: "GET", Code: 200, Revision: revision},
	}}))
}

// load reads the history of a run without steps.
func (x *watchTest) load() *history.History {
	x.watches.Close()
	return runtest.Unfinished(x.t, x.dir, x.history)
}

// lines answers a watch with these lines, and ends it.
func lines(all ...string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		for _, line := range all {
			fmt.Fprintln(rw, line)
		}
	}
}

// TestWatchEvents: the record of each line of a watch, and why it was closed.
func TestWatchEvents(t *testing.T) {
	x := watching(t, lines(
		runtest.Added("x-treated-001", 12), runtest.Added("a stranger", 13),
		strings.Replace(runtest.Added("x-treated-001", 14), "ADDED", "MODIFIED", 1),
		`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"15"}}}`,
		strings.Replace(runtest.Added("x-treated-001", 16), "ADDED", "DELETED", 1),
		`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}`,
		`{"type":"DANCE","object":{}}`,
	))
	watcher := x.add(4)
	require.NoError(t, watcher.begin(t.Context()))
	<-watcher.done
	again := x.add(5)
	require.NotNil(t, again, "the next watch step opens another")
	close(again.done) // it never begins
	h := x.load()
	told := func(w history.Watch) string {
		return fmt.Sprint(w.Event, " ", w.Copy, " ", w.Revision, " ", w.Code, " ", w.Reason, " ", w.Message)
	}
	var got []string
	for _, w := range h.Watches {
		got = append(got, told(w))
		assert.Equal(t, "4 a old example.dev/v1 Gadget", fmt.Sprint(w.Step, " ", w.Replica, " ", w.Role, " ", w.APIVersion, " ", w.Kind))
		assert.Equal(t, w.Copy != "", h.HasObject(w.Answer), w.Event)
	}
	assert.Equal(t, []string{
		"opened  0 0  ", "added x-treated-001 12 0  ", "modified x-treated-001 14 0  ", "bookmark  15 0  ",
		"deleted x-treated-001 16 0  ", "error  0 410 Expired too old",
		`error  0 0  an event of the unknown type "DANCE"`, "closed  0 0  the server ended it",
	}, got)
}

// TestWatchGoesOn: a watch that its server ends is opened again at the same revision, as
// reflectors do, until that is too old.
func TestWatchGoesOn(t *testing.T) {
	x := watching(t, func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("resourceVersion") {
		case "0":
			lines(runtest.Added("x-treated-001", 12))(rw, r)
		case "12":
			lines(runtest.Added("x-treated-001", 13))(rw, r)
		default:
			runtest.Reply(rw, 410, runtest.Status(410, "Expired", "too old"))
		}
	})
	watcher := x.add(4)
	require.NoError(t, watcher.begin(t.Context()))
	<-watcher.done
	var got []string
	for _, w := range x.load().Watches {
		got = append(got, fmt.Sprint(w.Event, " ", w.Revision, " ", w.Code, " ", w.Message))
	}
	assert.Equal(t, []string{
		"opened 0 0 ", "added 12 0 ", "opened 12 0 the server had ended it", "added 13 0 ", "error 0 410 too old", "closed 0 0 the server ended it",
	}, got)
}

// TestWatchIsPatient: if a server asks the client to retry when a watch is opened again,
// the watch retries for a while, and then records the error.
func TestWatchIsPatient(t *testing.T) {
	for times, want := range map[int]string{
		2:    "opened 0 ; added 0 ; opened 0 the server had ended it; error 410 too old; closed 0 the server ended it",
		1000: "opened 0 ; added 0 ; error 429 storage is (re)initializing; closed 0 the server ended it",
	} {
		asked := 0
		x := watching(t, func(rw http.ResponseWriter, r *http.Request) {
			switch asked++; {
			case r.URL.Query().Get("resourceVersion") == "0":
				lines(runtest.Added("x-treated-001", 12))(rw, r)
			case asked-1 <= times:
				runtest.Reply(rw, 429, runtest.Status(429, "TooManyRequests", "storage is (re)initializing"))
			case asked-1 == times+1:
				lines()(rw, r)
			default:
				runtest.Reply(rw, 410, runtest.Status(410, "Expired", "too old"))
			}
		})
		x.watches.within = time.Hour
		if times > 2 {
			x.watches.within = 0 // it has asked for too long at once
		}
		watcher := x.add(4)
		require.NoError(t, watcher.begin(t.Context()))
		<-watcher.done
		var got []string
		for _, w := range x.load().Watches {
			got = append(got, fmt.Sprint(w.Event, " ", w.Code, " ", w.Message))
		}
		assert.Equal(t, want, strings.Join(got, "; "))
	}
}

// TestWatchBreaks: every error of a watch is recorded, and the run continues.
func TestWatchBreaks(t *testing.T) {
	for want, answer := range map[string]http.HandlerFunc{
		"error 0 an event cannot be read: unexpected end of JSON input; closed 0 an event cannot be read: unexpected end of JSON input": lines(`{"type":`),
		"closed 0 the stream broke: unexpected EOF": func(rw http.ResponseWriter, _ *http.Request) {
			rw.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"error 429 storage is (re)initializing; closed 0 it could not be opened": func(rw http.ResponseWriter, _ *http.Request) {
			rw.WriteHeader(429)
			fmt.Fprint(rw, `{"kind":"Status","message":"storage is (re)initializing","reason":"TooManyRequests"}`)
		},
	} {
		x := watching(t, answer)
		watcher := x.add(4)
		require.NoError(t, watcher.begin(t.Context()))
		<-watcher.done
		var got []string
		for _, w := range x.load().Watches {
			if w.Event != history.WatchOpened {
				got = append(got, fmt.Sprint(w.Event, " ", w.Code, " ", w.Message))
			}
		}
		assert.Equal(t, want, strings.Join(got, "; "))
	}
}

// TestWatchesEnd: a watch that would never end is closed when its server drains, and when
// the run ends; the record has the reason.
func TestWatchesEnd(t *testing.T) {
	for want, end := range map[string]func(*watchTest){
		"the server is draining": func(x *watchTest) { x.watches.Leave(x.replica) },
		"":                       func(x *watchTest) { x.watches.Close() },
	} {
		x := watching(t, runtest.Endless)
		require.NoError(t, x.add(4).begin(t.Context()))
		end(x)
		all := x.load().Watches
		assert.Equal(t, history.WatchClosed, all[len(all)-1].Event)
		assert.Equal(t, want, all[len(all)-1].Message)
		x.watches.Close()
		assert.Nil(t, x.add(5), "none is opened once the run ends")
	}
}

// TestLag: a watch that has not shown the newest change is waited for, once, and that is
// not recorded.
func TestLag(t *testing.T) {
	t.Parallel()
	x := watching(t, runtest.Endless)
	x.watches.within = 50 * time.Millisecond
	watcher := x.add(4)
	require.NoError(t, watcher.begin(t.Context()))
	require.NoError(t, x.watches.Recorder.Record(history.Record{Change: &history.Change{Revision: 7, Key: "/registry/gadgets/x-treated-001"}}))
	require.NoError(t, x.watches.Recorder.Record(history.Record{Change: &history.Change{Revision: 9, Key: "/registry/gadgets/a stranger"}}))
	x.shows("x-treated-001", 7)
	began := time.Now()
	require.NoError(t, x.watches.CatchUp(t.Context()))
	assert.GreaterOrEqual(t, time.Since(began), x.watches.within)
	assert.Equal(t, []string{"the WATCH of example.dev/v1 Gadget via a (v1) has not shown revision 9 within 50ms"}, x.notes)
	x.watches.within = time.Hour
	require.NoError(t, x.watches.CatchUp(t.Context()), "it is not waited for again")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(assert.AnError)
	watcher.slow = false
	assert.Equal(t, assert.AnError, x.watches.CatchUp(ctx), "nor when the run ends")
	watcher.slow = false
	time.AfterFunc(20*time.Millisecond, func() { watcher.advance(9) })
	require.NoError(t, x.watches.CatchUp(t.Context()), "the newest change comes in time")
	x.watches.Close()
	assert.Len(t, x.load().Watches, 2, "opened and closed")
}

// TestStartLags: a cache without the newest change is asked again before a watch starts
// from its revision.
func TestStartLags(t *testing.T) {
	asked := 0
	x := watching(t, runtest.Endless)
	w := x.world
	serve := w.Serve
	w.Serve = func(place string, rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("resourceVersion") == "0" {
			asked++
			fmt.Fprintf(rw, `{"metadata":{"resourceVersion":"%d"},"items":[]}`, 4+asked)
			return true
		}
		return serve(place, rw, r)
	}
	require.NoError(t, x.watches.Recorder.Record(history.Record{Change: &history.Change{Revision: 7, Key: "/registry/gadgets/x-treated-001"}}))
	x.shows("x-treated-001", 7)
	require.NoError(t, x.add(4).begin(t.Context()))
	x.watches.Close()
	assert.Equal(t, 3, asked)
	assert.Equal(t, int64(7), x.load().Watches[0].Revision)
}
