package run

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
)

// prepare creates the namespace that the copies live in.
func (w *walker) prepare(ctx context.Context, s plan.Step) (string, error) {
	r, err := w.fleet.get(s.Replica)
	if err != nil {
		return "", fmt.Errorf("step %d: %w", s.Number, err)
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": w.config.Plan.Namespace},
	})
	if err != nil {
		return "", err
	}
	request := client.Request{Method: http.MethodPost, Path: "/api/v1/namespaces", ContentType: client.JSONContent, Body: body}
	answer := r.conn.Do(ctx, request)
	exchange, err := w.exchange(request, answer)
	if err != nil {
		return "", err
	}
	err = w.record(history.Record{Operation: &history.Operation{
		Step: s.Number, Purpose: history.Prepare, Replica: r.name, Role: r.role, Exchange: exchange,
	}})
	if !answer.Succeeded() {
		err = errors.Join(err, fmt.Errorf("step %d (%s): answered %d: %s", s.Number, s, answer.Code, statusText(answer)))
	}
	return outcome(answer), err
}

// observe LISTs every kind of the plan through every live replica: the edge of
// a stage.
func (w *walker) observe(ctx context.Context, s plan.Step) (string, error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	lists := 0
	for _, r := range w.fleet.live() {
		for _, served := range w.known[r.role].release.Resources {
			lists++
			group.Go(func() error {
				return guarded(func() error {
					_, err := w.list(ctx, s.Number, r, served)
					return err
				})
			})
		}
	}
	return fmt.Sprintf("%d lists", lists), group.Wait()
}

// list LISTs one kind through one replica and records the copies it shows.
func (w *walker) list(ctx context.Context, step int, r *replica, served history.Resource) (client.Answer, error) {
	request := client.Request{Method: http.MethodGet, Path: w.location(served).Collection()}
	answer := r.conn.Do(ctx, request)
	if err := ctx.Err(); err != nil {
		return answer, context.Cause(ctx)
	}
	listing := &history.Listing{Step: step, Replica: r.name, Role: r.role, APIVersion: served.APIVersion, Kind: served.Kind}
	recorded := answer
	var unread, err error
	if answer.Succeeded() {
		if listing.Items, unread = w.items(answer.Body, served); unread == nil {
			recorded.Body = nil // its items are recorded one by one
		}
	}
	if listing.Exchange, err = w.exchange(request, recorded); err != nil {
		return answer, err
	}
	if unread != nil { // an answer, whatever it is worth: the oracle's to judge
		listing.Exchange.Error = "the answer cannot be read: " + unread.Error()
	}
	return answer, w.record(history.Record{Listing: listing})
}

// items records the run's copies among a LIST's items, each under its digest.
// An object that has not changed is listed again and again in the same bytes:
// those are read once.
func (w *walker) items(body []byte, served history.Resource) ([]history.Item, error) {
	var answer struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	var items []history.Item
	for _, raw := range answer.Items {
		key := listedAs{served.APIVersion, sha256.Sum256(raw)}
		if known, ok := w.listed.Load(key); ok {
			items = append(items, known.(history.Item))
			continue
		}
		item, ours, err := w.readItem(raw, served)
		if err != nil {
			return nil, err
		}
		if ours {
			w.listed.Store(key, item)
			items = append(items, item)
		}
	}
	return items, nil
}

// listedAs is a LIST's item by its bytes, which leave out the version that it
// is listed in.
type listedAs struct {
	apiVersion string
	sum        [sha256.Size]byte
}

// readItem reads one item of a LIST, and tells whether it is one of the run's
// copies. Built-in lists leave out their items' type; it is put back, so that
// an object served by LIST and by GET is one and the same blob.
func (w *walker) readItem(raw []byte, served history.Resource) (history.Item, bool, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return history.Item{}, false, err
	}
	var meta struct{ Name, ResourceVersion string }
	if err := json.Unmarshal(object["metadata"], &meta); err != nil {
		return history.Item{}, false, err
	}
	if !w.ours(meta.Name, served) {
		return history.Item{}, false, nil
	}
	digest, err := w.item(object, served)
	return history.Item{Copy: meta.Name, Answer: digest, Revision: revision(meta.ResourceVersion)}, true, err
}

// ours tells whether an object is a copy of the run's, made as the kind and in
// the version that is listed: a kind served in two versions lists each object
// in both, and only in its own does it look as it was made.
func (w *walker) ours(name string, served history.Resource) bool {
	c, known := w.copies[name]
	m := w.config.Plan.Manifests[c.Manifest]
	return known && m.Kind == served.Kind && m.APIVersion == served.APIVersion
}

func (w *walker) item(item map[string]json.RawMessage, served history.Resource) (string, error) {
	for key, v := range map[string]string{"apiVersion": served.APIVersion, "kind": served.Kind} {
		raw, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		item[key] = raw
	}
	raw, err := json.Marshal(item)
	if err != nil {
		return "", err
	}
	return w.config.History.Body(raw)
}

// exchange is a request and its answer as the history has them.
func (w *walker) exchange(r client.Request, a client.Answer) (history.Exchange, error) {
	x := history.Exchange{
		Method: r.Method, Path: r.Path, ContentType: r.ContentType,
		Code: a.Code, Warnings: a.Warnings, Seconds: a.Took.Seconds(),
	}
	var err error
	if x.Sent, err = w.config.History.Body(r.Body); err != nil {
		return x, err
	}
	if x.Answer, err = w.config.History.Body(a.Body); err != nil {
		return x, err
	}
	if a.Status != nil {
		x.Reason, x.Message = string(a.Status.Reason), a.Status.Message
	}
	if a.Err != nil {
		x.Error = a.Err.Error()
	}
	x.Revision = answeredRevision(a.Body)
	return x, nil
}

// answeredRevision is the resourceVersion that an answer carries, 0 for none.
func answeredRevision(body []byte) int64 {
	var object struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if json.Unmarshal(body, &object) != nil {
		return 0
	}
	return revision(object.Metadata.ResourceVersion)
}

// revision reads a resourceVersion as the store's revision, which it is for
// every API server over etcd.
func revision(resourceVersion string) int64 {
	n, err := strconv.ParseInt(resourceVersion, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// outcome is an answer in a word for the progress.
func outcome(a client.Answer) string {
	switch {
	case a.Err != nil:
		return "no answer: " + a.Err.Error()
	case a.Succeeded() && len(a.Warnings) > 0:
		return fmt.Sprintf("%d, warning: %s", a.Code, a.Warnings[0])
	case a.Succeeded():
		return strconv.Itoa(a.Code)
	}
	return fmt.Sprintf("%d %s", a.Code, statusText(a))
}

// said is an answer without a server's words about a Secret, which they may quote.
func said(kind string, a client.Answer) client.Answer {
	if kind != redact.Kind {
		return a
	}
	if a.Status != nil {
		a.Status = &metav1.Status{Reason: a.Status.Reason, Message: fmt.Sprintf("%s (%s)", a.Status.Reason, redact.Withheld)}
	}
	if a.Body, a.Warnings = nil, a.Warnings[:0:0]; a.Err != nil {
		a.Err = errors.New(redact.Withheld)
	}
	return a
}

func statusText(a client.Answer) string {
	switch {
	case a.Status != nil && a.Status.Message != "":
		return a.Status.Message
	case a.Err != nil:
		return a.Err.Error()
	}
	return string(a.Body)
}
