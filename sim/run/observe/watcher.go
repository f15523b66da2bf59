package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// watcher follows one kind through one replica, as a client's cache does.
type watcher struct {
	all    *Watches
	step   int
	of     watchKey
	served history.Resource
	ctx    context.Context
	end    context.CancelCauseFunc
	done   chan struct{} // closed when its last event is recorded
	late   atomic.Bool   // a step has waited for it in vain

	mu    sync.Mutex
	shown int64         // everything up to this revision
	slow  bool          // it was waited for in vain
	erred bool          // it has shown an error, after which no event is expected; only its reader uses it
	broke *client.Panic // that of the server which broke the stream off; only its reader uses it
	moved chan struct{} // closed and replaced when shown moves
}

// begin LISTs from the cache for a revision to start from, as reflectors do, and opens the
// WATCH there. Errors are recorded: they end the watch, not the run.
func (x *watcher) begin(ctx context.Context) error {
	following := false
	defer func() {
		if !following {
			x.all.gone(x)
			close(x.done)
		}
	}()
	from, answer, err := x.start(ctx)
	if err != nil {
		return err
	}
	var stream *client.Stream
	if answer.Succeeded() {
		stream, answer = x.open(from)
	}
	if stream == nil {
		return x.refused(answer)
	}
	x.advance(from)
	if err := x.record(history.Watch{Event: history.WatchOpened, Revision: from}); err != nil {
		stream.Close()
		return err
	}
	following = true
	x.all.going.Add(1)
	go x.follow(stream)
	return nil
}

// open opens the WATCH at a revision.
func (x *watcher) open(from int64) (*client.Stream, client.Answer) {
	return x.of.r.Conn.Stream(x.ctx, client.Request{
		Method: http.MethodGet, Path: x.all.Known.Location(x.served).Collection(), UserAgent: watchAgent, Query: map[string]string{
			"watch": "true", "allowWatchBookmarks": "true", "resourceVersion": fmt.Sprint(from),
		},
	})
}

// watchAgent is the user agent of watches and their LISTs.
const watchAgent = "skewsim-watch"

// start returns the revision that the replica's cache has reached. It asks again for a
// while if the cache does not have the newest change yet: the start of a watch, and so its
// events, must not depend on how fast a server is.
func (x *watcher) start(ctx context.Context) (int64, client.Answer, error) {
	target := x.all.Recorder.Memory.NewestOf(x.all.Known.ShownAs(x.of.r.Role, x.served))
	began, again := time.Now(), fleet.FirstPause
	for {
		answer := x.of.r.Conn.Do(ctx, client.Request{
			Method: http.MethodGet, Path: x.all.Known.Location(x.served).Collection(), UserAgent: watchAgent,
			Query: map[string]string{"resourceVersion": "0"},
		})
		if ctx.Err() != nil {
			return 0, answer, context.Cause(ctx)
		}
		from := ListRevision(answer.Body)
		if !answer.Succeeded() || from == 0 || from >= target || time.Since(began) > x.all.within {
			return from, answer, nil
		}
		var err error
		if again, err = fleet.PauseLonger(ctx, again); err != nil {
			return 0, answer, err
		}
	}
}

// ListRevision returns the resourceVersion of a LIST, 0 for none.
func ListRevision(body []byte) int64 {
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	if json.Unmarshal(body, &list) != nil {
		return 0
	}
	return Revision(list.Metadata.ResourceVersion)
}

// refused records a watch that could not be opened.
func (x *watcher) refused(answer client.Answer) error {
	return errors.Join(x.failed(answer), x.record(history.Watch{Event: history.WatchClosed, Message: "it could not be opened"}))
}

// follow records the events of the stream, until it ends.
func (x *watcher) follow(stream *client.Stream) {
	defer x.all.going.Done()
	defer close(x.done)
	defer x.all.gone(x)
	err := fault.Guard(func() error {
		why, err := x.readOn(stream)
		return errors.Join(err, x.record(history.Watch{Event: history.WatchClosed, Message: x.why(why), Panic: (*history.Panic)(x.broke)}))
	})
	if err != nil { // skewsim's own error: the evidence cannot be written
		x.all.Fail(err)
	}
}

// readOn reads the stream, and opens it again at the same revision when the server ends it,
// as reflectors do: servers end every watch after a while.
func (x *watcher) readOn(stream *client.Stream) (why, err error) {
	for again := fleet.FirstPause; ; {
		before := x.reached()
		why, err = x.read(stream)
		stream.Close()
		if err != nil || !errors.Is(why, io.EOF) || x.erred || x.ctx.Err() != nil {
			return why, err
		}
		if x.reached() > before {
			again = fleet.FirstPause
		}
		if again, err = fleet.PauseLonger(x.ctx, again); err != nil {
			return why, nil
		}
		var answer client.Answer
		if stream, answer = x.openAgain(); stream == nil {
			return why, x.notAgain(answer)
		}
		if err := x.record(history.Watch{Event: history.WatchOpened, Revision: x.reached(), Message: "the server had ended it"}); err != nil {
			stream.Close()
			return why, err
		}
	}
}

// openAgain opens the WATCH at the last revision. A server whose cache starts again, as for
// a kind that was redefined, asks the client to retry, so openAgain retries for a while.
func (x *watcher) openAgain() (*client.Stream, client.Answer) {
	for began, again := time.Now(), fleet.FirstPause; ; {
		stream, answer := x.open(x.reached())
		if answer.Code != http.StatusTooManyRequests || time.Since(began) > x.all.within {
			return stream, answer
		}
		var err error
		if again, err = fleet.PauseLonger(x.ctx, again); err != nil {
			return nil, client.Answer{} // the run has ended it
		}
	}
}

// notAgain records why a watch could not be opened again. A server that does not answer has
// ended the watch by exiting, which is reported elsewhere.
func (x *watcher) notAgain(answer client.Answer) error {
	if answer.Code == 0 && answer.Panic == nil {
		return nil
	}
	return x.failed(answer)
}

// failed records that a watch was not opened.
func (x *watcher) failed(answer client.Answer) error {
	failure := history.Watch{Event: history.WatchError, Code: answer.Code, Message: answer.Text(), Panic: (*history.Panic)(answer.Panic)}
	if answer.Status != nil {
		failure.Reason = string(answer.Status.Reason)
	}
	return x.record(failure)
}

// reached returns the revision up to which the watch has shown everything.
func (x *watcher) reached() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.shown
}

// why returns why a watch has ended, "" if the run ended it.
func (x *watcher) why(stream error) string {
	switch cause := context.Cause(x.ctx); {
	case errors.Is(cause, errDraining):
		return cause.Error()
	case cause != nil:
		return ""
	case errors.Is(stream, io.EOF):
		return "the server ended it"
	}
	return stream.Error()
}

// read records event by event. It returns what ended the stream, and skewsim's own error.
func (x *watcher) read(stream *client.Stream) (why, err error) {
	for {
		line, why := stream.Next()
		if errors.Is(why, client.ErrLongLine) {
			return why, x.record(history.Watch{Event: history.WatchError, Message: why.Error()})
		}
		if why != nil {
			x.broke = stream.Panic()
			return why, nil
		}
		var event struct {
			Type   string
			Object json.RawMessage
		}
		if err := json.Unmarshal(line, &event); err != nil {
			why = fmt.Errorf("an event cannot be read: %w", err)
			return why, x.record(history.Watch{Event: history.WatchError, Message: why.Error()})
		}
		if err := x.event(event.Type, event.Object); err != nil {
			return nil, err
		}
	}
}

// event records one event, unless it is about another run's object.
func (x *watcher) event(kind string, object []byte) error {
	told := history.Watch{Event: history.WatchEvent(strings.ToLower(kind))}
	switch told.Event {
	case history.WatchAdded, history.WatchModified, history.WatchDeleted:
		return x.change(told, object)
	case history.WatchBookmark:
		told.Revision = ListRevision(object)
		x.advance(told.Revision)
		return x.record(told)
	}
	told.Event, x.erred = history.WatchError, true
	var status metav1.Status
	if json.Unmarshal(object, &status) != nil || status.Code == 0 {
		told.Message = fmt.Sprintf("an event of the unknown type %q", kind)
		return x.record(told)
	}
	told.Code, told.Reason, told.Message = int(status.Code), string(status.Reason), status.Message
	return x.record(told)
}

func (x *watcher) change(told history.Watch, object []byte) error {
	shown, err := x.all.Recorder.Observe(object)
	if err != nil {
		return err
	}
	if x.all.Known.Ours(x.of.r.Role)(shown.Name, shown.Of) {
		told.Copy, told.Answer, told.Revision = shown.Name, shown.Digest, shown.Revision
		err = x.record(told)
	}
	x.advance(shown.Revision) // after it is recorded, so that no other step continues before
	return err
}

func (x *watcher) record(told history.Watch) error {
	told.Step, told.Replica, told.Role = x.step, x.of.r.Name, x.of.r.Role
	told.APIVersion, told.Kind = x.served.APIVersion, x.served.Kind
	return x.all.Recorder.Record(history.Record{Watch: &told})
}

func (x *watcher) advance(revision int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.shown = max(x.shown, revision)
	close(x.moved)
	x.moved = make(chan struct{})
}

// has reports whether the watch has shown everything up to the revision, or is not waited
// for: it has ended, or was waited for in vain before.
func (x *watcher) has(revision int64) bool {
	select {
	case <-x.done:
		return true
	default:
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.slow || x.shown >= revision
}

// progress returns a channel that is closed when the state of the watch changes.
func (x *watcher) progress() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.moved
}

// giveUp stops waiting for a watch. Its later events are recorded all the same, and the
// oracle sees the missing ones.
func (x *watcher) giveUp(target int64) {
	x.mu.Lock()
	x.slow = true
	x.mu.Unlock()
	x.all.Note(fmt.Sprintf("the WATCH of %s %s via %s (%s) has not shown revision %d within %s",
		x.served.APIVersion, x.served.Kind, x.of.r.Name, x.all.Known.Version(x.of.r.Role), target, x.all.within))
}
