package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// reader reads the values of one run on a scratch server that it may share with other runs.
type reader struct {
	*scratchServer
	t       *trials
	reached int64 // the newest revision that a consistent LIST of the surveyed kind had
}

// errSilent ends the trials on a server that does not answer in time: every later request
// would wait as long. The request without an answer is recorded.
var errSilent = errors.New("the scratch server does not answer")

// hung returns errSilent for an answer that did not come in time.
func hung(a client.Answer) error {
	if a.TimedOut() {
		return errSilent
	}
	return nil
}

// put stores a recorded value under its own key: an encryption provider may authenticate
// the key with the value.
func (l *reader) put(ctx context.Context, v *Value) error {
	raw, err := l.t.of.At(ctx, v.Key, v.Revision)
	if err != nil {
		return err
	}
	if v.Digest, err = l.t.of.Recorder.History.Bytes(raw); err != nil {
		return err
	}
	return l.store.Put(ctx, v.Key, raw)
}

// get has one value read, and reports whether that worked. Without a resourceVersion the
// server reads the store itself.
func (l *reader) get(ctx context.Context, v Value) (bool, error) {
	of := l.t.of
	served, _ := of.Known.Reached(l.t.role, of.Known.Plan.Manifests[of.Known.Copies[v.Copy].Manifest])
	answer := l.conn.Do(ctx, client.Request{Method: http.MethodGet, Path: of.Known.Object(served, v.Copy)})
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	told := l.told(history.TrialGet, served, answer)
	told.Copy, told.Key, told.Value, told.Revision = v.Copy, v.Key, v.Digest, v.Revision
	var err error
	if answer.Succeeded() {
		var shown Observation
		shown, err = of.Recorder.Observe(answer.Body)
		told.Answer = shown.Digest
	}
	return answer.Succeeded(), errors.Join(err, l.t.record(told), hung(answer))
}

// told returns the record of a request to the server.
func (l *reader) told(kind history.TrialKind, served history.Resource, a client.Answer) history.Trial {
	told := history.Trial{
		Trial: kind, APIVersion: served.APIVersion, Kind: served.Kind, Values: len(l.t.keys),
		Code: a.Code, Seconds: a.Took.Seconds(), Panic: (*history.Panic)(a.Panic),
	}
	if a.Status != nil {
		told.Reason, told.Message = string(a.Status.Reason), a.Status.Message
	}
	if a.Err != nil {
		told.Error = a.Err.Error()
	}
	return told
}

// list LISTs one kind in one form. It repeats a LIST without all values for a while,
// because a cache may not have the last value yet. A LIST that reports an older revision
// than the store's is still late when it is given up.
func (l *reader) list(ctx context.Context, served history.Resource, form term.ListForm, names []string) error {
	began, again := time.Now(), fleet.FirstPause
	for {
		told, answer, err := l.listOnce(ctx, served, form, names)
		if err != nil {
			return err
		}
		if form == term.ConsistentList {
			l.reached = ListRevision(answer.Body)
		}
		late := time.Since(began) > l.t.of.Within
		if len(told.Missing) == 0 || late {
			told.GaveUp = len(told.Missing) > 0 && ListRevision(answer.Body) < l.reached
			return errors.Join(l.t.record(told), hung(answer))
		}
		if again, err = fleet.PauseLonger(ctx, again); err != nil {
			return err
		}
	}
}

// listOnce LISTs once, to the last page, whose answer it returns.
func (l *reader) listOnce(ctx context.Context, served history.Resource, form term.ListForm, names []string) (history.Trial, client.Answer, error) {
	asking := l.t.of.Lists.Through(l.t.step, &fleet.Replica{Role: l.t.role, Conn: l.conn}, served)
	shown := map[string]bool{}
	query := QueryOf(form, len(names))
	for pages := 1; ; pages++ {
		answer, exchange, got, err := asking.Ask(ctx, query)
		if err != nil {
			return history.Trial{}, answer, err
		}
		told := l.told(history.TrialList, served, answer)
		told.Form, told.Error = form, exchange.Error
		if got.Next != "" && pages == PagesLimit {
			told.Error = fmt.Sprintf("the LIST continues after %d pages", pages)
		}
		for _, item := range got.Items {
			shown[item.Copy] = true
		}
		if told.Error != "" || !answer.Succeeded() {
			return told, answer, nil
		}
		if got.Next == "" {
			told.Missing = without(names, shown)
			return told, answer, nil
		}
		query["continue"] = got.Next
	}
}

func without(names []string, shown map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return shown[name] })
}

// errIdle ends a watch that has shown nothing for a while.
var errIdle = errors.New("nothing more comes")

// watch WATCHes one kind from revision 0 on, which shows all existing objects, until it has
// shown every copy. It may take long while events arrive.
func (l *reader) watch(ctx context.Context, served history.Resource, names []string) error {
	within, end := context.WithCancelCause(ctx)
	defer end(nil)
	began := time.Now()
	stream, answer := l.conn.Stream(within, client.Request{
		Method: http.MethodGet, Path: l.t.of.Known.Location(served).Collection(),
		Query: map[string]string{"watch": "true", "resourceVersion": "0"},
	})
	told := l.told(history.TrialWatch, served, answer)
	if stream != nil {
		l.follow(within, end, stream, &told, names)
		stream.Close()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	told.Seconds = time.Since(began).Seconds()
	return errors.Join(l.t.record(told), hung(answer))
}

// eventLines is a stream of events.
type eventLines interface {
	Next() ([]byte, error)
	Panic() *client.Panic
}

// follow reads events until every copy was shown, and notes the copies that were not. Each
// event extends the time, after which end must end the stream.
func (l *reader) follow(ctx context.Context, end context.CancelCauseFunc, stream eventLines, told *history.Trial, names []string) {
	idle := time.AfterFunc(l.t.of.Within, func() { end(errIdle) })
	defer idle.Stop()
	left := map[string]bool{}
	for _, name := range names {
		left[name] = true
	}
	defer func() { told.Missing = slices.Sorted(maps.Keys(left)) }()
	for len(left) > 0 {
		line, err := stream.Next()
		idle.Reset(l.t.of.Within)
		if told.GaveUp = errors.Is(context.Cause(ctx), errIdle); told.GaveUp {
			return
		}
		if err != nil {
			if ctx.Err() == nil {
				told.Error, told.Panic = "the watch ended: "+err.Error(), (*history.Panic)(stream.Panic())
			}
			return
		}
		var event struct {
			Type   string
			Object json.RawMessage
		}
		if err := json.Unmarshal(line, &event); err != nil {
			told.Error = "an event cannot be read: " + err.Error()
			return
		}
		if strings.ToLower(event.Type) == string(history.WatchError) {
			l.refused(told, event.Object)
			return
		}
		if object, err := DecodeObject(event.Object); err == nil {
			delete(left, l.t.of.Recorder.Identify(object).Name)
		}
	}
}

// refused records an ERROR event as the answer of the watch.
func (l *reader) refused(told *history.Trial, object []byte) {
	var status metav1.Status
	if json.Unmarshal(object, &status) != nil || status.Code == 0 {
		told.Error = "the watch reports an error without a status"
		return
	}
	told.Code, told.Reason, told.Message = int(status.Code), string(status.Reason), status.Message
}
