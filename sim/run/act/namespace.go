package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// Prepare creates the namespace for the copies. A server without the core API has no
// namespaces and needs none: any namespace is valid there.
func (ac *Actor) Prepare(ctx context.Context, s plan.Step) (string, error) {
	r, err := ac.Fleet.Get(s.Replica)
	if err != nil {
		return "", fmt.Errorf("step %d: %w", s.Number, err)
	}
	request := ac.Known.CreateNamespace()
	op := history.Operation{Step: s.Number, Purpose: history.Prepare, Replica: r.Name, Role: r.Role}
	if err := ac.Recorder.Intend(op); err != nil {
		return "", err
	}
	answer := r.Conn.Do(ctx, request)
	if op.Exchange, err = ac.Recorder.Exchange(request, answer); err != nil {
		return "", err
	}
	err = ac.Recorder.Record(history.Record{Operation: &op})
	switch {
	case unserved(answer):
		return "not created: this server serves no namespaces", err
	case answer.Code == http.StatusConflict && ac.Known.Plan.Leg != nil && ac.Known.Plan.Leg.Number > 1:
		return "it exists: an earlier leg created it", err
	case !answer.Succeeded():
		err = errors.Join(err, fmt.Errorf("step %d (%s): answered %d: %s", s.Number, s, answer.Code, answer.Text()))
	}
	return outcome(answer), err
}

// unserved reports whether a server serves nothing at the path. Such an answer is a list of
// the served paths, in the API server's words, or that of Go's HTTP server. A 404 about an
// object says that the resource exists without that object.
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
		return !slices.Contains(has.Paths, fleet.CoreAPI)
	}
	return strings.TrimSpace(string(a.Body)) == "404 page not found"
}

// outcome returns an answer in a word for the progress.
func outcome(a client.Answer) string {
	switch {
	case a.Err != nil:
		return "no answer: " + a.Err.Error()
	case a.Succeeded() && len(a.Warnings) > 0:
		return fmt.Sprintf("%d, warning: %s", a.Code, a.Warnings[0])
	case a.Succeeded():
		return strconv.Itoa(a.Code)
	}
	return fmt.Sprintf("%d %s", a.Code, a.Text())
}

// said returns an answer without a server's words about confidential objects, which may
// quote values.
func (ac *Actor) said(kind string, a client.Answer) client.Answer {
	if !ac.Known.Policy().Covers(kind) {
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
