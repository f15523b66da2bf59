package apiserver

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestDegraded: a server that only waits for what it cannot list counts as ready, but not
// before it has waited a while; one that can list it, or lacks something else, does not.
func TestDegraded(t *testing.T) {
	const informers = "[+]ping ok\n[-]informer-sync failed: reason withheld\n"
	const caches = "[-]poststarthook/storage-readiness failed: reason withheld\n"
	for _, c := range []struct {
		name, ready string
		list        int // what the LIST is answered
		asked       []string
		want        string
	}{
		{"informers", informers, 500, []string{"/api/v1/secrets"}, "[-]informer-sync failed: reason withheld: a LIST of /api/v1/secrets is answered 500"},
		{"caches", caches, 500, []string{"/api/v1/secrets"}, "[-]poststarthook/storage-readiness failed: reason withheld: a LIST of /api/v1/secrets is answered 500"},
		{"it can be listed", informers, 200, []string{"/api/v1/secrets"}, ""},
		{"it is busy", caches, 429, []string{"/api/v1/secrets"}, ""},
		{"something else", informers + "[-]etcd failed: reason withheld\n", 500, []string{"/api/v1/secrets"}, ""},
		{"nobody asks", informers, 500, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := pretend(t, func(w http.ResponseWriter, r *http.Request) {
					if strings.HasPrefix(r.URL.Path, "/api/") {
						w.WriteHeader(c.list)
						return
					}
					answers(500, c.ready, `{"gitVersion":"v1.36.3"}`)(w, r)
				})
				err := s.awaitReady(t.Context(), time.Minute, c.asked)
				assert.Equal(t, c.want != "", err == nil, "%v", err)
				assert.Equal(t, c.want, s.Lacks(c.asked))
				assert.Empty(t, s.Lacks([]string{"/api/v1/configmaps"}), "it does not read it")
				if c.want != "" {
					assert.Equal(t, pollEvery+degradedAfter, s.ReadyAfter())
				}
			})
		})
	}
}

// TestSettles: a degraded server becomes ready if it waits for caches only, now or once its informers have synced;
// one whose informers do not sync, or that lacks something else, does not.
func TestSettles(t *testing.T) {
	const informers = "[+]ping ok\n[-]informer-sync failed: reason withheld\n"
	const caches = "[-]poststarthook/storage-readiness failed: reason withheld\n"
	for _, c := range []struct {
		name, first, then string // what /readyz says for the first seconds, and after them
		want              bool
	}{
		{"caches", caches, caches, true},
		{"informers of a busy machine", informers + caches, caches, true},
		{"ready", informers, "", true},
		{"informers", informers + caches, informers + caches, false},
		{"something else", caches + "[-]etcd failed: reason withheld\n", caches + "[-]etcd failed: reason withheld\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				s := pretend(t, func(w http.ResponseWriter, r *http.Request) {
					says := c.first
					if time.Since(began) > degradedAfter {
						says = c.then
					}
					code := http.StatusInternalServerError
					if says == "" {
						code = http.StatusOK
					}
					answers(code, says, `{"gitVersion":"v1.36.3"}`)(w, r)
				})
				assert.Equal(t, c.want, s.Settles(t.Context()))
				assert.LessOrEqual(t, time.Since(began), settlesWithin+pollEvery)
			})
		})
	}
}
