package observe

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// TestListsAgain: a LIST of an edge is sent again where the same server could answer otherwise: after a change of the kind, after
// a refusal, beside programs, and through another server.
func TestListsAgain(t *testing.T) {
	for name, c := range map[string]struct {
		between func(x *watchTest)
		as      int // the step of the LISTs that the second edge repeats; 0: it asks
	}{
		"nothing stored":      {func(*watchTest) {}, 9},
		"a change":            {func(x *watchTest) { x.store("x-control-002") }, 0},
		"another server":      {func(x *watchTest) { other := *x.replica; x.replica = &other }, 0},
		"a program converts":  {func(x *watchTest) { x.known.Plan.Releases[0].Program = "hooks.yaml" }, 0},
		"definitions":         {func(x *watchTest) { x.define() }, 0},
		"those of one server": {func(x *watchTest) { x.define(); x.oneReplica() }, 9},
		"the first one fails": {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			x := watching(t, runtest.Endless)
			asked, failing := 0, c.between == nil
			x.world.Serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool {
				asked++
				if failing {
					runtest.Reply(rw, 500, runtest.Status(500, "InternalError", "unable to decode"))
				}
				return failing
			}
			x.world.Each = func(stored stores.Change) {
				require.NoError(t, x.watches.Recorder.Record(history.Record{Change: &history.Change{Revision: stored.Revision, Key: stored.Key}}))
			}
			x.store("x-control-001")
			x.shows("x-control-001", 1)
			edge := func(step int) int {
				asked = 0
				require.NoError(t, x.lists.Through(step, x.replica, runtest.Gadget).forms(t.Context()))
				return asked
			}
			assert.Equal(t, 3, edge(9))
			if failing = false; c.between != nil {
				c.between(x)
			}
			sent := edge(12)
			all := x.load().Listings[3:]
			require.Len(t, all, len(term.ListForms()))
			for i, form := range []term.ListForm{term.ConsistentList, term.CachedList, term.PagedList} {
				assert.Equal(t, []any{form, 12, c.as, 200, "x-control-001"}, []any{all[i].Form, all[i].Step, all[i].As, all[i].Exchange.Code, all[i].Items[0].Copy})
			}
			assert.Equal(t, c.as == 0, sent > 0)
		})
	}
}

// store stores a copy.
func (x *watchTest) store(name string) {
	x.world.Store(map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "metadata": map[string]any{"name": name}})
}

// define has the old release bring definitions.
func (x *watchTest) define() {
	of := x.known.ByRole[term.Old]
	of.Said.Defines = []string{"gadgets.example.dev"}
	x.known.ByRole[term.Old] = of
}

// oneReplica has the run play one replica at each stage.
func (x *watchTest) oneReplica() {
	for i := range x.known.Plan.Stages {
		x.known.Plan.Stages[i].Replicas = x.known.Plan.Stages[i].Replicas[:1]
	}
}
