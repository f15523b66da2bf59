package run

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

// TestPanicsAreRecorded: a WATCH of a replica, and one of a server over a scratch store, that
// break off have the panic that the server's log has of them. Near twin: the log has none.
func TestPanicsAreRecorded(t *testing.T) {
	for _, logged := range []*client.Panic{{Value: "nil", Function: "x.list", Line: "x/y.go:7"}, nil} {
		x, c, r := watching(t, func(rw http.ResponseWriter, _ *http.Request) {
			fmt.Fprintln(rw, added("x-treated-001", 12))
			rw.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		e := r.process.Endpoint()
		var err error
		r.conn, err = client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: "t", Panicked: func(context.Context, string) *client.Panic { return logged }})
		require.NoError(t, err)
		watcher := x.watches.add(4, r, gadget)
		require.NoError(t, watcher.begin(t.Context()))
		<-watcher.done
		l := &laboratory{t: &trials{w: x, step: 5, role: term.Old}, bench: &bench{conn: r.conn}}
		require.NoError(t, l.watch(t.Context(), gadget, []string{"x-treated-001", "x-treated-002"}))
		h := loadOpen(t, c, x)
		closed := h.Watches[len(h.Watches)-1]
		assert.Equal(t, history.WatchClosed, closed.Event)
		assert.Equal(t, (*history.Panic)(logged), closed.Panic)
		assert.Equal(t, (*history.Panic)(logged), h.Trials[0].Panic)
		assert.NotEmpty(t, h.Trials[0].Error)
	}
}
