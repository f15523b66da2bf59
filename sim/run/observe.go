package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
)

// coreAPI is where a server has namespaces, if it has any.
const coreAPI = "/api/v1"

// prepare creates the namespace that the copies live in. A server without the
// core API has none, and needs none: objects lie in whichever is named.
func (w *walker) prepare(ctx context.Context, s plan.Step) (string, error) {
	r, err := w.convoy.fleet.get(s.Replica)
	if err != nil {
		return "", fmt.Errorf("step %d: %w", s.Number, err)
	}
	request := client.Request{
		Method: http.MethodPost, Path: coreAPI + "/namespaces", ContentType: client.JSONContent, Body: namespaceBody(w.config.Plan.Namespace),
	}
	op := history.Operation{Step: s.Number, Purpose: history.Prepare, Replica: r.name, Role: r.role}
	if err := w.intend(op); err != nil {
		return "", err
	}
	answer := r.conn.Do(ctx, request)
	if op.Exchange, err = w.exchange(request, answer); err != nil {
		return "", err
	}
	err = w.record(history.Record{Operation: &op})
	switch {
	case unserved(answer):
		return "none to create: this server serves no namespaces", err
	case answer.Code == http.StatusConflict && w.carriesOn():
		return "there already: an earlier leg made it", err
	case !answer.Succeeded():
		err = errors.Join(err, fmt.Errorf("step %d (%s): answered %d: %s", s.Number, s, answer.Code, statusText(answer)))
	}
	return outcome(answer), err
}

func namespaceBody(name string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, name)
}

// unserved tells whether a server has nothing at the path. It says so by a list
// of the paths that it has, in words of its own, or in those of Go's HTTP server
// below it. A 404 about an object says that there is something, and no such object.
func unserved(a client.Answer) bool {
	if a.Err != nil || a.Code != http.StatusNotFound {
		return false
	}
	if a.Status != nil {
		named := a.Status.Details != nil && a.Status.Details.Name != ""
		return !named && strings.HasPrefix(a.Status.Message, "the server could not find the requested resource")
	}
	var has metav1.RootPaths
	if json.Unmarshal(a.Body, &has) == nil && len(has.Paths) > 0 {
		return !slices.Contains(has.Paths, coreAPI)
	}
	return strings.TrimSpace(string(a.Body)) == "404 page not found"
}

// observe LISTs every kind of the plan, in each form, through every live
// replica: the edge of a stage. The replicas' watches must have caught up
// first: a LIST from a watch cache may lag behind a write, and tells nothing
// then.
func (w *walker) observe(ctx context.Context, s plan.Step) (string, error) {
	if err := w.catchUp(ctx); err != nil {
		return "", err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	lists := 0
	for _, r := range w.convoy.fleet.live() {
		for _, served := range w.known[r.role].release.Resources {
			lists += len(term.ListForms())
			group.Go(func() error {
				return guarded(func() error { return lister{w: w, step: s.Number, r: r, served: served}.forms(ctx) })
			})
		}
	}
	return fmt.Sprintf("%d lists", lists), group.Wait()
}

// exchange is a request and its answer as the history has them.
func (w *walker) exchange(r client.Request, a client.Answer) (history.Exchange, error) {
	x := history.Exchange{
		Method: r.Method, Path: r.Path, Query: encoded(r.Query), ContentType: r.ContentType,
		Code: a.Code, Warnings: a.Warnings, Seconds: a.Took.Seconds(),
	}
	var err error
	if x.Sent, err = w.config.History.Body(r.Body); err != nil {
		return x, err
	}
	shown, err := w.answered(a.Body)
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

// encoded is a query as it stands in a URL.
func encoded(query map[string]string) string {
	values := url.Values{}
	for name, v := range query {
		values.Set(name, v)
	}
	return values.Encode()
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

// said is an answer without a server's words about what is confidential, which they
// may quote.
func (w *walker) said(kind string, a client.Answer) client.Answer {
	if !w.policy().Covers(kind) {
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

// policy is what of the run nobody may read on a terminal.
func (w *walker) policy() redact.Policy { return redact.For(w.config.Plan.Confidential) }

func statusText(a client.Answer) string {
	switch {
	case a.Status != nil && a.Status.Message != "":
		return a.Status.Message
	case a.Err != nil:
		return a.Err.Error()
	}
	return string(a.Body)
}
