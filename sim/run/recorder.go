package run

import (
	"net/url"
	"sync"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/storage"
)

// recorder writes the history of one run while it runs, and remembers what the run itself
// needs to choose what to look at next.
type recorder struct {
	known   *known
	history *history.Writer
	memory  *memory
	acts    map[string][]plan.Step // by copy: its operations, in their order
	seen    sync.Map               // by seenAs: its observation
}

func newRecorder(k *known, h *history.Writer) *recorder {
	rec := &recorder{known: k, history: h, memory: newMemory(), acts: map[string][]plan.Step{}}
	rec.memory.askedIn = k.askedIn
	for _, stage := range k.plan.Stages {
		for _, s := range stage.Steps {
			if s.Action == plan.Operate && !s.Birth && s.Copy != "" {
				rec.acts[s.Copy] = append(rec.acts[s.Copy], s)
			}
		}
	}
	return rec
}

// exchange returns a request and its answer as the history has them.
func (rec *recorder) exchange(r client.Request, a client.Answer) (history.Exchange, error) {
	x := history.Exchange{
		Method: r.Method, Path: r.Path, Query: encoded(r.Query), ContentType: r.ContentType,
		Code: a.Code, Warnings: a.Warnings, Seconds: a.Took.Seconds(),
	}
	var err error
	if x.Sent, err = rec.history.Body(r.Body); err != nil {
		return x, err
	}
	shown, err := rec.answered(a.Body)
	if err != nil {
		return x, err
	}
	x.Answer, x.Revision = shown.digest, shown.revision
	if a.Status != nil {
		x.Reason, x.Message = string(a.Status.Reason), a.Status.Message
	}
	if a.Err != nil {
		x.Error = a.Err.Error()
	}
	x.Panic = (*history.Panic)(a.Panic)
	return x, nil
}

// encoded returns a query as it stands in a URL.
func encoded(query map[string]string) string {
	values := url.Values{}
	for name, v := range query {
		values.Set(name, v)
	}
	return values.Encode()
}

// statusText returns what a server says about an answer: its status, or its body.
func statusText(a client.Answer) string {
	switch {
	case a.Status != nil && a.Status.Message != "":
		return a.Status.Message
	case a.Err != nil:
		return a.Err.Error()
	}
	return string(a.Body)
}

// record writes down what happened, and remembers what the run itself needs of it.
func (rec *recorder) record(r history.Record) error {
	rec.memory.note(r)
	return rec.history.Write(r)
}

// intend records a write before it is sent: a run that is killed meanwhile leaves its
// effect, and not its answer.
func (rec *recorder) intend(op history.Operation) error {
	intent := op.Intent()
	return rec.record(history.Record{Intent: &intent})
}

// recordChange writes down one change of the store.
func (rec *recorder) recordChange(c StoreChange) error {
	if !c.Deleted {
		rec.known.learnKey(c.Key)
	}
	envelope := storage.Describe(c.Value)
	change := &history.Change{
		Revision: c.Revision, Key: c.Key, Deleted: c.Deleted, Created: c.Created, Version: c.Version, Size: len(c.Value),
	}
	if !c.Deleted {
		change.Encoding, change.APIVersion, change.Kind = string(envelope.Encoding), envelope.APIVersion, envelope.Kind
		change.Provider, change.KeyName = envelope.Provider, envelope.Key
		change.Value, _ = rec.history.Bytes(c.Value) // the writer keeps its first error
	}
	return rec.record(history.Record{Change: change})
}
