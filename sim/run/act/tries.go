package act

import (
	"context"
	"net/http"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
)

// tries knows the dry runs that would tell nothing new. A server answers a dry run from what it reads of the
// stored value. A release that permitted the attempt at an earlier edge, while both releases showed the same content, is
// asked about one content of each manifest again: what refuses an object may also be another one. As long as that is
// permitted too, the earlier answers hold; where one is not, every content is tried. What was refused last is always tried.
type tries struct {
	mu        sync.Mutex
	permitted map[tried]int // the step in which each was, unless it was refused since
	again     questions[again]
}

// tried is one attempt by one release on a content: as both releases show it.
type tried struct {
	role    term.Role
	looks   string
	attempt term.Attempt
}

// again is the question of one edge whether what a release permitted earlier still is.
type again struct {
	step     int
	through  *fleet.Replica
	manifest string
	attempt  term.Attempt
}

// before returns the earlier step in which an attempt was permitted, 0 for none.
func (ts *tries) before(t tried, now int) int {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if step := ts.permitted[t]; step != now {
		return step
	}
	return 0
}

// note remembers what came of an attempt.
func (ts *tries) note(t tried, step int, isPermitted bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.permitted == nil {
		ts.permitted = map[tried]int{}
	}
	if ts.permitted[t] = step; !isPermitted {
		delete(ts.permitted, t)
	}
}

// tryOnce makes an attempt, unless it would tell nothing new.
func (t *trier) tryOnce(ctx context.Context, a term.Attempt) error {
	ac := t.actor
	what := tried{t.r.Role, t.of.looks, a}
	step := 0
	if t.shown && !t.answersVary() {
		step = ac.tries.before(what, t.step)
	}
	if step == 0 {
		_, err := t.tryNow(ctx, what)
		return err
	}
	state, mine := ac.tries.again.take(again{t.step, t.r, t.of.first.Manifest, a})
	if mine {
		defer close(state.done)
		var err error
		state.agrees, err = t.tryNow(ctx, what)
		return err
	}
	agrees, err := state.wait(ctx)
	if err != nil {
		return err
	}
	if !agrees {
		_, err := t.tryNow(ctx, what)
		return err
	}
	request, err := t.write(a, nil)
	if err != nil {
		return err
	}
	op := t.operation(a, 0, history.Exchange{Method: request.Method, Path: request.Path, Query: observe.Encoded(request.Query), Code: http.StatusOK})
	op.As = step
	return ac.Recorder.Record(history.Record{Operation: op})
}

// tryNow makes an attempt, remembers whether it is permitted, and returns that.
func (t *trier) tryNow(ctx context.Context, what tried) (bool, error) {
	answer, err := t.try(ctx, what.attempt)
	if err != nil {
		return false, err
	}
	permitted := isPermitted(answer)
	if t.shown && !t.answersVary() {
		t.actor.tries.note(what, t.step, permitted)
	}
	return permitted, nil
}

// answersVary reports whether an answer of the replica says nothing of what another one of its release answers.
func (t *trier) answersVary() bool { return t.actor.Known.AnswersVary() || t.r.HasOthers() }

// isPermitted reports whether there is nothing to say about an attempt.
func isPermitted(answer client.Answer) bool {
	return answer.Succeeded() && len(answer.Warnings) == 0 && len(answer.Mutated) == 0 && answer.Panic == nil
}
