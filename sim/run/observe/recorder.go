package observe

import (
	"net/url"
	"sync"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/stores"
	"github.com/skewsim/skewsim/sim/storage"
)

// Recorder writes the history of one run while it is executed, and remembers what the run
// needs to choose what to read next.
type Recorder struct {
	known   *fleet.Known
	History *history.Writer
	Memory  *Memory
	acts    map[string][]plan.Step // by copy: its operations, in their order
	seen    sync.Map               // by seenAs: its observation
}

// NewRecorder returns a recorder that writes to a history.
func NewRecorder(k *fleet.Known, h *history.Writer) *Recorder {
	rec := &Recorder{known: k, History: h, Memory: newMemory(), acts: map[string][]plan.Step{}}
	rec.Memory.askedIn = k.AskedIn
	for _, stage := range k.Plan.Stages {
		for _, s := range stage.Steps {
			if s.Action == plan.Operate && !s.Birth && s.Copy != "" {
				rec.acts[s.Copy] = append(rec.acts[s.Copy], s)
			}
		}
	}
	return rec
}

// Exchange returns a request and its answer as the history has them.
func (rec *Recorder) Exchange(r client.Request, a client.Answer) (history.Exchange, error) {
	x := history.Exchange{
		Method: r.Method, Path: r.Path, Query: Encoded(r.Query), ContentType: r.ContentType,
		Code: a.Code, Warnings: a.Warnings, Mutated: a.Mutated, Seconds: a.Took.Seconds(),
	}
	var err error
	if x.Sent, err = rec.History.Body(r.Body); err != nil {
		return x, err
	}
	shown, err := rec.Observe(a.Body)
	if err != nil {
		return x, err
	}
	x.Answer, x.Revision = shown.Digest, shown.Revision
	if a.Status != nil {
		x.Reason, x.Message = string(a.Status.Reason), a.Status.Message
	}
	if a.Err != nil {
		x.Error = a.Err.Error()
	}
	x.Panic = (*history.Panic)(a.Panic)
	return x, nil
}

// Encoded returns a query as it is in a URL.
func Encoded(query map[string]string) string {
	values := url.Values{}
	for name, v := range query {
		values.Set(name, v)
	}
	return values.Encode()
}

// Record writes an event to the history, and remembers what the run needs of it.
func (rec *Recorder) Record(r history.Record) error {
	rec.Memory.note(r)
	return rec.History.Write(r)
}

// Intend records a write before it is sent: a run that is killed meanwhile leaves its
// effect, but not its answer.
func (rec *Recorder) Intend(op history.Operation) error {
	intent := op.Intent()
	return rec.Record(history.Record{Intent: &intent})
}

// RecordChange records one change of the store.
func (rec *Recorder) RecordChange(c stores.Change) error {
	if !c.Deleted {
		rec.known.LearnKey(c.Key)
	}
	envelope := storage.Describe(c.Value)
	change := &history.Change{
		Revision: c.Revision, Key: c.Key, Deleted: c.Deleted, Created: c.Created, Version: c.Version, Size: len(c.Value),
	}
	if !c.Deleted {
		change.Encoding, change.APIVersion, change.Kind = string(envelope.Encoding), envelope.APIVersion, envelope.Kind
		change.Provider, change.KeyName = envelope.Provider, envelope.Key
		change.Value, _ = rec.History.Bytes(c.Value) // the writer keeps its first error
	}
	return rec.Record(history.Record{Change: change})
}
