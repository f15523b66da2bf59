package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// inWorld plays the small plan, with more lines, in a world whose servers may be changed.
func inWorld(t *testing.T, change func(*runtest.World), lines ...string) *history.History {
	t.Helper()
	w := runtest.NewWorld(t)
	change(w)
	c := config(t, w, runtest.SmallPlan(t, runtest.Small+strings.Join(lines, "")))
	require.NoError(t, Run(runtest.Bounded(t), c))
	return load(t, c)
}

// through are the looks through one replica: how many were sent, and how many a WATCH showed.
func through(h *history.History, replica string) (sent, watched int) {
	for _, op := range h.Operations {
		switch {
		case op.Purpose != history.Look || op.Replica != replica:
		case op.Watched:
			watched++
		default:
			sent++
		}
	}
	return sent, watched
}

// getsThroughB has GETs of single objects through replica b answered with a member more.
func getsThroughB(w *runtest.World) {
	var gets atomic.Int64 // each answer has another value: clients write back what they read
	w.Serve = func(place string, rw http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(place, "b") || r.Method != http.MethodGet || !strings.HasPrefix(r.URL.Path, runtest.Collection+"/") {
			return false
		}
		w.Mu.Lock()
		o, _ := json.Marshal(w.Objects[r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]])
		w.Mu.Unlock()
		runtest.Reply(rw, http.StatusOK, json.RawMessage(bytes.ReplaceAll(o, []byte(`"kind":"Gadget"`), fmt.Appendf(nil, `"kind":"Gadget","more":%d`, gets.Add(1)))))
		return true
	}
}

// TestLooks: through each replica a GET is sent for one copy of each content, and the WATCH counts for the others. What is
// wrong in GETs alone is shown by a GET of every copy, through the replica in which it is wrong.
func TestLooks(t *testing.T) {
	t.Parallel()
	right := inWorld(t, func(*runtest.World) {})
	wrong := inWorld(t, getsThroughB)
	for replica, agrees := range map[string]bool{"a": true, "b": false} {
		sent, watched := through(right, replica)
		assert.Positive(t, sent, replica)
		assert.Positive(t, watched, replica)
		none, others := through(wrong, replica)
		assert.Equal(t, sent+watched, none+others, replica)
		assert.Equal(t, agrees, others > 0, "%s: %d sent, %d watched", replica, none, others)
	}
	for _, op := range right.Operations {
		if op.Watched {
			assert.True(t, right.HasObject(op.Exchange.Answer), "%+v", op)
		}
	}
}

// TestLooksAtWatches: what is wrong in WATCHes alone is shown beside a GET of every copy.
func TestLooksAtWatches(t *testing.T) {
	t.Parallel()
	h := inWorld(t, func(w *runtest.World) {
		var events atomic.Int64
		w.Event = func(line []byte) []byte {
			return bytes.ReplaceAll(line, []byte(`"kind":"Gadget"`), fmt.Appendf(nil, `"kind":"Gadget","more":%d`, events.Add(1)))
		}
	})
	for _, replica := range []string{"a", "b"} {
		_, watched := through(h, replica)
		assert.Zero(t, watched, replica)
	}
}

// TestTriedBefore: a release that permitted a dry run on a content is not asked again about every copy, unless it answers one
// of them otherwise.
func TestTriedBefore(t *testing.T) {
	t.Parallel()
	counts := func(h *history.History) (sent, asBefore int) {
		for _, op := range h.Operations {
			if op.Purpose == history.Try && op.As > 0 {
				asBefore++
			} else if op.Purpose == history.Try {
				sent++
			}
		}
		return sent, asBefore
	}
	const another = "- {set: x, fields: {.spec.size: 3}, via: new, verb: put}\n" // one manifest then has two contents
	sent, asBefore := counts(inWorld(t, func(*runtest.World) {}, another))
	assert.Positive(t, asBefore)
	var deletes atomic.Int64
	none, others := counts(inWorld(t, func(w *runtest.World) {
		w.Serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("dryRun") == "" || r.Method != http.MethodDelete {
				return false
			}
			if deletes.Add(1) < 3 { // the first edges
				return false
			}
			runtest.Reply(rw, http.StatusForbidden, runtest.Status(http.StatusForbidden, "Forbidden", "no"))
			return true
		}
	}, another))
	assert.Equal(t, sent+asBefore, none+others)
	assert.Less(t, others, asBefore)
}
