package run

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

var gadget = history.Resource{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets", Namespaced: true}

// watching is a walker with one replica over a fake server, which answers
// watches with the handler.
func watching(t *testing.T, answer http.HandlerFunc) (*walker, Config, *replica) {
	w := newWorld(t)
	w.serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("watch") == "" {
			return false
		}
		answer(rw, r)
		return true
	}
	c := config(t, w, smallPlan(t, small))
	ctx, cancel := context.WithCancelCause(t.Context())
	x := newWalker(ctx, c, cancel)
	x.convoy.follower = &follower{done: make(chan struct{})}
	x.known[term.Old] = known{release: history.Release{Version: "v1", Resources: []history.Resource{gadget}}}
	p := w.newProcess(c.Builds[term.Old], "a-1", "store")
	t.Cleanup(func() { p.end("stopped", nil); x.watches.close() })
	conn, err := client.Connect(client.Endpoint{URL: p.endpoint.URL, CAData: p.endpoint.CAData, Token: "t"})
	require.NoError(t, err)
	r := &replica{name: "a", role: term.Old, conn: conn, process: p}
	x.convoy.fleet.serving["a"] = r
	return x, c, r
}

// loadOpen reads the history of a walker that never ran.
func loadOpen(t *testing.T, c Config, x *walker) *history.History {
	x.watches.close()
	require.NoError(t, c.History.Write(history.Record{End: ending(nil)}))
	return load(t, c)
}

// lines answers a watch with these lines, and ends it.
func lines(all ...string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		for _, line := range all {
			fmt.Fprintln(rw, line)
		}
	}
}

func added(name string, revision int) string {
	return fmt.Sprintf(`{"type":"ADDED","object":{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":%q,"resourceVersion":"%d"}}}`, name, revision)
}

// TestWatchEvents: what each line of a watch becomes, and why it was closed.
func TestWatchEvents(t *testing.T) {
	x, c, r := watching(t, lines(
		added("x-treated-001", 12), added("a stranger", 13),
		strings.Replace(added("x-treated-001", 14), "ADDED", "MODIFIED", 1),
		`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"15"}}}`,
		strings.Replace(added("x-treated-001", 16), "ADDED", "DELETED", 1),
		`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}`,
		`{"type":"DANCE","object":{}}`,
	))
	watcher := x.watches.add(4, r, gadget)
	require.NoError(t, watcher.begin(t.Context()))
	<-watcher.done
	again := x.watches.add(5, r, gadget)
	require.NotNil(t, again, "the next watch step opens another")
	close(again.done) // it never begins
	h := loadOpen(t, c, x)
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
		`error  0 0  an event of type "DANCE", which is none of a watch's`, "closed  0 0  the server ended it",
	}, got)
	assert.Equal(t, only(term.Old), x.memory.copies["x-treated-001"].shown[12])
	assert.Zero(t, x.memory.copies["x-treated-001"].shown[16], "the object that a deletion shows was stored before")
}

// TestWatchGoesOn: a watch that its server ends is opened again where it left
// off, as reflectors do, until it is too old for that.
func TestWatchGoesOn(t *testing.T) {
	x, c, r := watching(t, func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("resourceVersion") {
		case "0":
			lines(added("x-treated-001", 12))(rw, r)
		case "12":
			lines(added("x-treated-001", 13))(rw, r)
		default:
			reply(rw, 410, status(410, "Expired", "too old"))
		}
	})
	watcher := x.watches.add(4, r, gadget)
	require.NoError(t, watcher.begin(t.Context()))
	<-watcher.done
	var got []string
	for _, w := range loadOpen(t, c, x).Watches {
		got = append(got, fmt.Sprint(w.Event, " ", w.Revision, " ", w.Code, " ", w.Message))
	}
	assert.Equal(t, []string{
		"opened 0 0 ", "added 12 0 ", "opened 12 0 the server had ended it", "added 13 0 ", "error 0 410 too old", "closed 0 0 the server ended it",
	}, got)
}

// TestWatchIsPatient: a server that asks for patience when a watch is opened again is
// asked again for a while; one that goes on asking for it is told of.
func TestWatchIsPatient(t *testing.T) {
	for times, want := range map[int]string{
		2:    "opened 0 ; added 0 ; opened 0 the server had ended it; error 410 too old; closed 0 the server ended it",
		1000: "opened 0 ; added 0 ; error 429 storage is (re)initializing; closed 0 the server ended it",
	} {
		asked := 0
		x, c, r := watching(t, func(rw http.ResponseWriter, r *http.Request) {
			switch asked++; {
			case r.URL.Query().Get("resourceVersion") == "0":
				lines(added("x-treated-001", 12))(rw, r)
			case asked-1 <= times:
				reply(rw, 429, status(429, "TooManyRequests", "storage is (re)initializing"))
			case asked-1 == times+1:
				lines()(rw, r)
			default:
				reply(rw, 410, status(410, "Expired", "too old"))
			}
		})
		x.watches.within = time.Hour
		if times > 2 {
			x.watches.within = 0 // it has asked for too long at once
		}
		watcher := x.watches.add(4, r, gadget)
		require.NoError(t, watcher.begin(t.Context()))
		<-watcher.done
		var got []string
		for _, w := range loadOpen(t, c, x).Watches {
			got = append(got, fmt.Sprint(w.Event, " ", w.Code, " ", w.Message))
		}
		assert.Equal(t, want, strings.Join(got, "; "))
	}
}

// TestWatchBreaks: however a watch goes wrong, it is recorded, and the run goes on.
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
		x, c, r := watching(t, answer)
		watcher := x.watches.add(4, r, gadget)
		require.NoError(t, watcher.begin(t.Context()))
		<-watcher.done
		var got []string
		for _, w := range loadOpen(t, c, x).Watches {
			if w.Event != history.WatchOpened {
				got = append(got, fmt.Sprint(w.Event, " ", w.Code, " ", w.Message))
			}
		}
		assert.Equal(t, want, strings.Join(got, "; "))
	}
}

func endless(rw http.ResponseWriter, r *http.Request) {
	rw.(http.Flusher).Flush()
	<-r.Context().Done()
}

// TestWatchesEnd: a watch that would never end is closed when its server drains,
// and when the run ends; the record tells one from the other.
func TestWatchesEnd(t *testing.T) {
	for want, end := range map[string]func(*walker, *replica){
		"the server is draining": func(x *walker, r *replica) { x.watches.leave(r) },
		"":                       func(x *walker, _ *replica) { x.watches.close() },
	} {
		x, c, r := watching(t, endless)
		require.NoError(t, x.watches.add(4, r, gadget).begin(t.Context()))
		end(x, r)
		all := loadOpen(t, c, x).Watches
		assert.Equal(t, history.WatchClosed, all[len(all)-1].Event)
		assert.Equal(t, want, all[len(all)-1].Message)
		x.watches.close()
		assert.Nil(t, x.watches.add(5, r, gadget), "none is opened once the run ends")
	}
}

// TestLag: a watch that has not shown the newest change is waited for, once, and
// nothing is recorded of that.
func TestLag(t *testing.T) {
	t.Parallel()
	x, c, r := watching(t, endless)
	x.watches.within = 50 * time.Millisecond
	watcher := x.watches.add(4, r, gadget)
	require.NoError(t, watcher.begin(t.Context()))
	x.memory.note(history.Record{Change: &history.Change{Revision: 7, Key: "/registry/gadgets/x-treated-001"}})
	x.memory.note(history.Record{Change: &history.Change{Revision: 9, Key: "/registry/gadgets/a stranger"}})
	x.memory.recall("x-treated-001", 7)
	began := time.Now()
	require.NoError(t, x.catchUp(t.Context()))
	assert.GreaterOrEqual(t, time.Since(began), x.watches.within)
	assert.Equal(t, []string{"the WATCH of example.dev/v1 Gadget via a (v1) has not shown revision 9 within 50ms"}, c.Progress.(*progress).notes)
	x.watches.within = time.Hour
	require.NoError(t, x.catchUp(t.Context()), "it is not waited for again")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(assert.AnError)
	watcher.slow = false
	assert.Equal(t, assert.AnError, x.catchUp(ctx), "nor when the run ends")
	watcher.slow = false
	time.AfterFunc(20*time.Millisecond, func() { watcher.advance(9) })
	require.NoError(t, x.catchUp(t.Context()), "the newest change comes in time")
	x.watches.close()
	assert.Len(t, loadOpen(t, c, x).Watches, 2, "opened and closed")
}

// TestStartLags: a cache that has not seen the newest change is asked again
// before a watch starts from what it holds.
func TestStartLags(t *testing.T) {
	asked := 0
	x, c, r := watching(t, endless)
	w := c.Runtime.(*world)
	serve := w.serve
	w.serve = func(place string, rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("resourceVersion") == "0" {
			asked++
			fmt.Fprintf(rw, `{"metadata":{"resourceVersion":"%d"},"items":[]}`, 4+asked)
			return true
		}
		return serve(place, rw, r)
	}
	x.memory.note(history.Record{Change: &history.Change{Revision: 7, Key: "/registry/gadgets/x-treated-001"}})
	x.memory.recall("x-treated-001", 7)
	require.NoError(t, x.watches.add(4, r, gadget).begin(t.Context()))
	x.watches.close()
	assert.Equal(t, 3, asked)
	assert.Equal(t, int64(7), loadOpen(t, c, x).Watches[0].Revision)
}

// TestCacheLags: in a whole run, whatever a watch is slow to show, no LIST of an
// edge is recorded before every watch has shown the newest change.
func TestCacheLags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.lag = 30 * time.Millisecond
	c := config(t, w, smallPlan(t, small))
	require.NoError(t, Run(bounded(t), c))
	require.NoError(t, c.History.Close())
	var newest int64
	shown := map[string]int64{}
	live := map[string]bool{}
	for _, r := range records(t, c.Dir) {
		switch {
		case r.Change != nil:
			newest = r.Change.Revision
		case r.Watch != nil && r.Watch.Event == history.WatchClosed:
			delete(live, r.Watch.Replica)
		case r.Watch != nil:
			live[r.Watch.Replica] = true
			shown[r.Watch.Replica] = max(shown[r.Watch.Replica], r.Watch.Revision)
		case r.Listing != nil:
			for replica := range live {
				assert.Equal(t, newest, shown[replica], "step %d, replica %s", r.Listing.Step, replica)
			}
		}
	}
}

// records are a history's records in their order.
func records(t *testing.T, dir string) (all []history.Record) {
	f, err := os.Open(filepath.Join(dir, history.FileName))
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r history.Record
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	return all
}

// TestServerDies: a watch whose server dies ends nothing by itself: the server's
// end does.
func TestServerDies(t *testing.T) {
	w := newWorld(t)
	p := smallPlan(t, small)
	c := config(t, w, p)
	var dead *servers.ExitError
	w.onStep = func(n int) {
		if n == numbered(t, p, "WATCH") {
			dead = w.die("a-1")
			<-w.context.Done()
		}
	}
	assert.Equal(t, error(dead), Run(bounded(t), c))
	assert.Empty(t, w.left())
	closed := slices.DeleteFunc(load(t, c).Watches, func(w history.Watch) bool { return w.Event != history.WatchClosed })
	assert.Len(t, closed, 2)
}
