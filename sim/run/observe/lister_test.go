package observe

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// inLine is a listing in a line.
func inLine(l history.Listing) string {
	var names []string
	for _, item := range l.Items {
		names = append(names, fmt.Sprintf("%s@%d", item.Copy, item.Revision))
	}
	return fmt.Sprintf("%s ?%s %d at %d, pages %d: %s%s", l.Form, l.Exchange.Query, l.Exchange.Code, l.Exchange.Revision, l.Pages,
		strings.Join(names, " "), l.Exchange.Error)
}

// listed are the listings of one replica's forms, over five copies.
func listed(t *testing.T, serve func(rw http.ResponseWriter, r *http.Request) bool) (all []string) {
	x := watching(t, runtest.Endless)
	w := x.world
	w.Each = func(stores.Change) {}
	for _, name := range []string{"x-control-001", "x-control-002", "x-control-003", "a stranger", "x-treated-001"} {
		w.Store(map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "metadata": map[string]any{"name": name}})
	}
	w.Serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool { return serve != nil && serve(rw, r) }
	require.NoError(t, x.lists.Through(9, x.replica, runtest.Gadget).forms(t.Context()))
	for _, l := range x.load().Listings {
		assert.Equal(t, "9 a old example.dev/v1 Gadget", fmt.Sprint(l.Step, " ", l.Replica, " ", l.Role, " ", l.APIVersion, " ", l.Kind))
		all = append(all, inLine(l))
	}
	return all
}

const fourCopies = "x-control-001@1 x-control-002@2 x-control-003@3 x-treated-001@5"

// TestListForms: how each form asks, what it shows, and at which revision.
func TestListForms(t *testing.T) {
	assert.Equal(t, []string{
		"consistent ? 200 at 5, pages 0: " + fourCopies,
		"cached ?resourceVersion=0 200 at 5, pages 0: " + fourCopies,
		"paged ?limit=2 200 at 5, pages 3: " + fourCopies,
	}, listed(t, nil))
}

// TestPageFails: the page that fails ends the LIST and is its exchange.
func TestPageFails(t *testing.T) {
	all := listed(t, func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("continue") != "4" {
			return false
		}
		runtest.Reply(rw, 410, runtest.Status(410, "Expired", "too old"))
		return true
	})
	assert.Equal(t, "paged ?continue=4&limit=2 410 at 0, pages 2: x-control-001@1 x-control-002@2 x-control-003@3", all[2])
}

// TestListOfManyPages: a server that goes on for ever is left.
func TestListOfManyPages(t *testing.T) {
	asked := 0
	all := listed(t, func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("limit") == "" {
			return false
		}
		asked++
		runtest.Reply(rw, 200, map[string]any{"metadata": map[string]any{"continue": "x"}, "items": []any{}})
		return true
	})
	assert.Equal(t, PagesLimit, asked)
	assert.Equal(t, "paged ?continue=x&limit=2 200 at 0, pages 99: the LIST continues after 100 pages", all[2])
}

// TestFormsFail: a form that fails leaves the others alone.
func TestFormsFail(t *testing.T) {
	all := listed(t, func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.RawQuery != "" {
			return false
		}
		runtest.Reply(rw, 500, runtest.Status(500, "InternalError", "unable to decode"))
		return true
	})
	assert.Equal(t, "consistent ? 500 at 0, pages 0: ", all[0])
	assert.Equal(t, "cached ?resourceVersion=0 200 at 5, pages 0: "+fourCopies, all[1])
	assert.Contains(t, all[2], "paged ?limit=4 200 at 5, pages 2: x-control", "cut by how many copies there may be")
}

func TestQueryOf(t *testing.T) {
	for items, limit := range map[int]string{0: "1", 1: "1", 2: "1", 3: "1", 4: "2", 7: "3", 300: "100"} {
		assert.Equal(t, map[string]string{"limit": limit}, QueryOf(term.PagedList, items), items)
	}
}

// TestSilentList: a server that does not answer a LIST in time ends the run, as
// with any other request; one that answers with an error does not.
func TestSilentList(t *testing.T) {
	ls := listing(t)
	l := Lister{all: ls, step: 7, r: &fleet.Replica{Name: "a", Role: term.Old, Process: &runtest.Process{Place: "a-1"}}, served: history.Resource{APIVersion: "v1", Kind: "Gadget"}}
	assert.ErrorContains(t, l.silent(client.Answer{Err: os.ErrDeadlineExceeded, Took: time.Minute}),
		"step 7: replica a () did not answer the LIST of v1 Gadget within 1m0s; log: a-1.log")
	assert.NoError(t, l.silent(client.Answer{Err: io.EOF}))
	assert.NoError(t, l.silent(client.Answer{Code: 500}))
}

// TestLongest: how long a LIST may be follows from how many copies there are,
// and how large they are.
func TestLongest(t *testing.T) {
	ls := listing(t)
	few := Longest(ls.known.Plan)
	assert.Less(t, few, int64(1<<20))
	copies := ls.known.Plan.Copies
	for range 999 {
		ls.known.Plan.Copies = append(ls.known.Plan.Copies, copies...)
	}
	assert.Equal(t, 1000*few, Longest(ls.known.Plan))
}
