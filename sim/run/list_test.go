package run

import (
	"context"
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
)

// listing is a listing in a line.
func listing(l history.Listing) string {
	var names []string
	for _, item := range l.Items {
		names = append(names, fmt.Sprintf("%s@%d", item.Copy, item.Revision))
	}
	return fmt.Sprintf("%s ?%s %d at %d, pages %d: %s%s", l.Form, l.Exchange.Query, l.Exchange.Code, l.Exchange.Revision, l.Pages,
		strings.Join(names, " "), l.Exchange.Error)
}

// listed are the listings of one replica's forms, over five copies.
func listed(t *testing.T, serve func(rw http.ResponseWriter, r *http.Request) bool) (all []string) {
	x, c, r := watching(t, endless)
	w := c.Runtime.(*world)
	w.each = func(StoreChange) {}
	for _, name := range []string{"x-control-001", "x-control-002", "x-control-003", "a stranger", "x-treated-001"} {
		w.store(map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "metadata": map[string]any{"name": name}})
	}
	w.serve = func(_ string, rw http.ResponseWriter, r *http.Request) bool { return serve != nil && serve(rw, r) }
	require.NoError(t, lister{w: x, step: 9, r: r, served: gadget}.forms(t.Context()))
	for _, l := range loadOpen(t, c, x).Listings {
		assert.Equal(t, "9 a old example.dev/v1 Gadget", fmt.Sprint(l.Step, " ", l.Replica, " ", l.Role, " ", l.APIVersion, " ", l.Kind))
		all = append(all, listing(l))
	}
	return all
}

const fourCopies = "x-control-001@1 x-control-002@2 x-control-003@3 x-treated-001@5"

// TestListForms: how each form asks, what it shows, and at which revision.
func TestListForms(t *testing.T) {
	assert.Equal(t, []string{
		"consistent ? 200 at 5, pages 0: " + fourCopies,
		"cached ?resourceVersion=0 200 at 5, pages 0: " + fourCopies,
		"paged ?limit=1 200 at 5, pages 5: " + fourCopies,
	}, listed(t, nil))
}

// TestPageFails: the page that fails ends the LIST and is its exchange.
func TestPageFails(t *testing.T) {
	all := listed(t, func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("continue") != "3" {
			return false
		}
		reply(rw, 410, status(410, "Expired", "too old"))
		return true
	})
	assert.Equal(t, "paged ?continue=3&limit=1 410 at 0, pages 3: x-control-001@1 x-control-002@2", all[2])
}

// TestListOfManyPages: a server that goes on for ever is left.
func TestListOfManyPages(t *testing.T) {
	asked := 0
	all := listed(t, func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("limit") == "" {
			return false
		}
		asked++
		reply(rw, 200, map[string]any{"metadata": map[string]any{"continue": "x"}, "items": []any{}})
		return true
	})
	assert.Equal(t, pagesLimit, asked)
	assert.Equal(t, "paged ?continue=x&limit=1 200 at 0, pages 99: the LIST goes on after 100 pages", all[2])
}

// TestFormsFail: a form that fails leaves the others alone.
func TestFormsFail(t *testing.T) {
	all := listed(t, func(rw http.ResponseWriter, r *http.Request) bool {
		if r.URL.RawQuery != "" {
			return false
		}
		reply(rw, 500, status(500, "InternalError", "unable to decode"))
		return true
	})
	assert.Equal(t, "consistent ? 500 at 0, pages 0: ", all[0])
	assert.Equal(t, "cached ?resourceVersion=0 200 at 5, pages 0: "+fourCopies, all[1])
	assert.Contains(t, all[2], "paged ?limit=3 200 at 5, pages 2: x-control", "cut by how many copies there may be")
}

func TestQueryOf(t *testing.T) {
	for items, limit := range map[int]string{0: "1", 1: "1", 2: "1", 5: "1", 6: "2", 11: "3", 300: "60"} {
		assert.Equal(t, map[string]string{"limit": limit}, queryOf(term.PagedList, items), items)
	}
}

// TestPagesAreReadOnce: the same items in the same bytes are the same listing,
// and are not read again.
func TestPagesAreReadOnce(t *testing.T) {
	w, _ := standing(t)
	const items = `[{"metadata":{"name":"x-treated-001","resourceVersion":"3"}}]`
	for _, head := range []string{`"resourceVersion":"5"`, `"resourceVersion":"6","continue":"x"`} {
		got, err := w.page([]byte(`{"metadata":{`+head+`},"items":`+items+`}`), term.Old, gadget)
		require.NoError(t, err)
		assert.Len(t, got.items, 1)
		assert.Equal(t, 1, got.all)
		assert.Equal(t, strings.Contains(head, "continue"), got.next != "")
	}
	n := 0
	w.pages.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, 1, n)
}

func BenchmarkPage(b *testing.B) {
	var items []string
	for i := range 700 {
		items = append(items, fmt.Sprintf(`{"metadata":{"name":"x-treated-%03d","resourceVersion":"3"},"spec":{"x":%q}}`, i, strings.Repeat("x", 2500)))
	}
	body := []byte(`{"metadata":{"resourceVersion":"5"},"items":[` + strings.Join(items, ",") + `]}`)
	w := newWorld(b)
	x := newWalker(b.Context(), config(b, w, smallPlan(b, small)), nil)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := x.page(body, term.Old, gadget); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCutList: only what stands before the LIST's own items is its head.
func TestCutList(t *testing.T) {
	head, tail := cutList([]byte(`{"kind":"L","metadata":{"resourceVersion":"5","continue":"x"},"items":[{"a":1}]}`))
	require.NotNil(t, head)
	assert.Equal(t, "5 x", head.Metadata.ResourceVersion+" "+head.Metadata.Continue)
	assert.Equal(t, `,"items":[{"a":1}]}`, string(tail))
	for _, body := range []string{
		``, `{}`, `{"items":[]}`, `{"items":[{"a":{},"items":[1]}]}`, `{"a":{"b":1,"items":[2]},"items":[]}`, `{"a":"b\",\"items\":[`, `{"a":"b","items":[1]`[:13],
	} {
		head, _ := cutList([]byte(body))
		assert.Nil(t, head, body)
	}
	// Metadata that comes after the items is read with them, each time.
	w, _ := standing(t)
	for _, revision := range []int64{5, 6} {
		got, err := w.page(fmt.Appendf(nil, `{"kind":"L","items":[],"metadata":{"resourceVersion":"%d"}}`, revision), term.Old, gadget)
		require.NoError(t, err)
		assert.Equal(t, revision, got.revision)
	}
}

// TestSilentList: a server that does not answer a LIST in time ends the run, as
// with any other request; one that answers with an error does not.
func TestSilentList(t *testing.T) {
	w, _ := standing(t)
	l := lister{w: w, step: 7, r: &replica{name: "a", role: term.Old, process: &process{name: "a-1"}}, served: history.Resource{APIVersion: "v1", Kind: "Gadget"}}
	assert.ErrorContains(t, l.silent(client.Answer{Err: os.ErrDeadlineExceeded, Took: time.Minute}),
		"step 7: replica a () did not answer the LIST of v1 Gadget within 1m0s; log: a-1.log")
	assert.NoError(t, l.silent(client.Answer{Err: io.EOF}))
	assert.NoError(t, l.silent(client.Answer{Code: 500}))
}

// TestPause: nobody waits once the run is given up.
func TestPause(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, pause(ctx, time.Millisecond))
	cancel()
	assert.ErrorIs(t, pause(ctx, time.Hour), context.Canceled)
}

// TestLongest: how long a LIST may be follows from how many copies there are,
// and how large they are.
func TestLongest(t *testing.T) {
	w, _ := standing(t)
	few := w.longest()
	assert.Less(t, few, int64(1<<20))
	copies := w.config.Plan.Copies
	for range 999 {
		w.config.Plan.Copies = append(w.config.Plan.Copies, copies...)
	}
	assert.Equal(t, 1000*few, w.longest())
}
