package act

import (
	"context"
	"net/http"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/observe"
)

// tries knows the dry runs that would tell nothing new. A server answers a dry run from what it reads of the
// stored value. A release that showed the same content at an earlier edge, and permitted the attempt then, is
// asked about one content of each kind again. As long as that is permitted too, the earlier answers hold; where
// one is not, every content is tried. What was refused before is always tried.
type tries struct {
	mu        sync.Mutex
	permitted map[tried]int       // the step in which each was
	again     map[again]*answered // of the edge
}

// tried is one attempt on one content by one release.
type tried struct {
	role    term.Role
	content observe.Content
	attempt term.Attempt
}

// again is the question of one edge whether what a release permitted earlier still is.
type again struct {
	step    int
	role    term.Role
	kind    string
	attempt term.Attempt
}

// before returns the step in which an attempt was permitted, 0 for none.
func (ts *tries) before(t tried) int {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.permitted[t]
}

func (ts *tries) permit(t tried, step int) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.permitted == nil {
		ts.permitted = map[tried]int{}
	}
	ts.permitted[t] = step
}

// take returns the state of a question, and whether it is the caller who has to ask it.
func (ts *tries) take(q again) (*answered, bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return takeFrom(&ts.again, q)
}

// tryOnce makes an attempt, unless it would tell nothing new. A program beside the servers may have been replaced
// since an earlier edge, so that the same release can answer otherwise.
func (t *trier) tryOnce(ctx context.Context, a term.Attempt) error {
	ac := t.actor
	what := tried{t.r.Role, t.content, a}
	step := 0
	if t.shown && ac.Known.Plan.Releases[0].Program == "" {
		step = ac.tries.before(what)
	}
	if step == 0 {
		return t.tryNow(ctx, what)
	}
	state, mine := ac.tries.take(again{t.step, t.r.Role, t.content.APIVersion + " " + t.served.Kind, a})
	if mine {
		defer close(state.done)
		answer, err := t.try(ctx, a)
		state.agrees = isPermitted(answer)
		return err
	}
	select {
	case <-state.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !state.agrees {
		return t.tryNow(ctx, what)
	}
	request, err := t.write(a, nil)
	if err != nil {
		return err
	}
	op := t.operation(a, 0, history.Exchange{Method: request.Method, Path: request.Path, Query: observe.Encoded(request.Query), Code: http.StatusOK})
	op.As = step
	return ac.Recorder.Record(history.Record{Operation: op})
}

// tryNow makes an attempt, and remembers it if it is permitted.
func (t *trier) tryNow(ctx context.Context, what tried) error {
	answer, err := t.try(ctx, what.attempt)
	if err == nil && t.shown && isPermitted(answer) {
		t.actor.tries.permit(what, t.step)
	}
	return err
}

// isPermitted reports whether there is nothing to say about an attempt.
func isPermitted(answer client.Answer) bool {
	return answer.Succeeded() && len(answer.Warnings) == 0 && len(answer.Mutated) == 0 && answer.Panic == nil
}
