package container

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// restarting is an engine that lists its containers only after a number of failures.
type restarting struct {
	mu      sync.Mutex
	until   int
	asked   int
	removed bool
}

func (e *restarting) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	rw.Header().Set("Api-Version", "1.44")
	switch {
	case strings.HasSuffix(r.URL.Path, "/_ping"):
	case r.Method == http.MethodDelete:
		e.removed = true
		rw.WriteHeader(http.StatusNoContent)
	case e.asked < e.until:
		e.asked++
		panic(http.ErrAbortHandler)
	case e.removed:
		_, _ = rw.Write([]byte("[]"))
	default:
		_, _ = rw.Write([]byte(`[{"Id":"c1","Names":["/a"]}]`))
	}
}

// TestRemoveRetries: removeAll retries while the engine does not answer, until the time is
// over, and then reports why nothing was removed.
func TestRemoveRetries(t *testing.T) {
	for name, c := range map[string]struct {
		until, most int
		removed     bool
	}{
		"up again": {3, 3, true},
		"up":       {0, 0, true},
		"gone":     {1 << 30, 1 << 30, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := &restarting{until: c.until}
			server := httptest.NewServer(e)
			defer server.Close()
			api, err := client.New(client.WithHost("tcp://" + server.Listener.Addr().String()))
			require.NoError(t, err)
			defer api.Close()
			within := time.Minute
			if !c.removed {
				within = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			err = retry(ctx, func() error { return removeAll(ctx, api, ownedBy("x"), nil) })
			assert.Equal(t, c.removed, e.removed)
			if c.removed {
				assert.NoError(t, err)
				assert.Equal(t, c.until, e.asked)
			} else {
				assert.ErrorContains(t, err, "containers: look for those that are left: ")
				assert.Greater(t, e.asked, 1)
			}
		})
	}
}

// TestRetry: retry calls do once if it succeeds, and not again after the end of ctx.
func TestRetry(t *testing.T) {
	done := 0
	assert.NoError(t, retry(t.Context(), func() error { done++; return nil }))
	ctx, cancel := context.WithCancel(t.Context())
	why := errors.New("no")
	assert.Equal(t, why, retry(ctx, func() error { done++; cancel(); return why }))
	assert.Equal(t, 2, done)
}

// TestLeave: a guard that is left does its work anyway; a guard that is closed has done its
// work.
func TestLeave(t *testing.T) {
	for name, end := range map[string]func(*guard){
		"left":   (*guard).leave,
		"closed": func(g *guard) { assert.NoError(t, g.close()) },
	} {
		file := filepath.Join(t.TempDir(), "done")
		g, err := startGuard([]string{"sh", "-c", `cat >/dev/null; touch "$0"`}, file, "")
		require.NoError(t, err)
		end(g)
		if name == "closed" {
			assert.FileExists(t, file)
		}
		assert.Eventually(t, func() bool { _, err := os.Stat(file); return err == nil }, 30*time.Second, 5*time.Millisecond, name)
	}
}
