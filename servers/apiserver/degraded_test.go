package apiserver

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

const (
	informers = "[+]ping ok\n[-]informer-sync failed: reason withheld\n"
	caches    = "[-]poststarthook/storage-readiness failed: reason withheld\n"
)

// TestDegraded: a server that only waits for what it cannot list counts as ready, but not
// before it has waited a while; one that can list it, or lacks something else, does not. One whose caches
// alone are missing becomes ready.
func TestDegraded(t *testing.T) {
	const ofInformers = "informer-sync of /readyz: a LIST of /api/v1/secrets is answered 500"
	for _, c := range []struct {
		name, ready string
		list        int // what the LIST is answered
		asked       []string
		want        string
		settles     bool
		after       time.Duration
	}{
		{"informers", informers, 500, []string{"/api/v1/secrets"}, ofInformers, false, informersWithin},
		{"caches", caches, 500, []string{"/api/v1/secrets"}, "poststarthook/storage-readiness of /readyz: a LIST of /api/v1/secrets is answered 500", true, degradedAfter},
		{"both", informers + caches, 500, []string{"/api/v1/secrets"}, ofInformers, false, informersWithin},
		{"it can be listed", informers, 200, []string{"/api/v1/secrets"}, "", false, 0},
		{"it is busy", caches, 429, []string{"/api/v1/secrets"}, "", false, 0},
		{"something else", informers + "[-]etcd failed: reason withheld\n", 500, []string{"/api/v1/secrets"}, "", false, 0},
		{"nobody asks", informers, 500, nil, "", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := says(t, c.list, func(time.Duration) string { return c.ready })
				err := s.awaitReady(t.Context(), time.Minute, c.asked)
				assert.Equal(t, c.want != "", err == nil, "%v", err)
				lack := s.Lacks(c.asked)
				assert.Equal(t, c.want, lack.String())
				assert.Equal(t, c.settles, lack.Settles)
				assert.False(t, s.Lacks([]string{"/api/v1/configmaps"}).Any(), "it does not read it")
				if c.want != "" {
					assert.Equal(t, pollEvery+c.after, s.ReadyAfter())
				}
			})
		})
	}
}

// TestInformersOfABusyMachine: informers that sync late, for a machine is busy, leave a server that waits for caches
// alone or is ready; those that never sync are waited for in proportion to what came before, and not for ever.
func TestInformersOfABusyMachine(t *testing.T) {
	const minutes, starting = 2 * time.Minute, "[-]poststarthook/rbac/bootstrap-roles failed: reason withheld\n"
	for _, c := range []struct {
		name            string
		slow, late      time.Duration // until nothing else is missing, until informers have synced; 0: they never do
		then            string
		settles, lacks  bool
		earliest, limit time.Duration
	}{
		{"quick machine, late informers", 2 * time.Second, 9 * time.Second, caches, true, true, 9 * time.Second, 13 * time.Second},
		{"slow machine, late informers", 15 * time.Second, 40 * time.Second, caches, true, true, 40 * time.Second, 44 * time.Second},
		{"slow machine, ready late", 15 * time.Second, 40 * time.Second, "", false, false, 40 * time.Second, 41 * time.Second},
		{"quick machine, never", 2 * time.Second, 0, "", false, true, 12 * time.Second, 13 * time.Second},
		{"slow machine, never", 15 * time.Second, 0, "", false, true, 45 * time.Second, 46 * time.Second},
		{"very slow machine, never", 50 * time.Second, 0, "", false, true, 90 * time.Second, 94 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := says(t, http.StatusInternalServerError, func(since time.Duration) string {
					switch {
					case since < c.slow:
						return informers + starting
					case c.late > 0 && since >= c.late:
						return c.then
					}
					return informers + caches
				})
				asked := []string{"/api/v1/secrets"}
				assert.NoError(t, s.awaitReady(t.Context(), minutes, asked))
				assert.Equal(t, c.lacks, s.Lacks(asked).Any())
				assert.Equal(t, c.settles, s.Lacks(asked).Settles)
				assert.GreaterOrEqual(t, s.ReadyAfter(), c.earliest)
				assert.LessOrEqual(t, s.ReadyAfter(), c.limit)
			})
		})
	}
}

// says is a server that answers LISTs with a code, and at /readyz says what it does so long after its start; "": it
// is ready.
func says(t *testing.T, list int, ready func(since time.Duration) string) *server {
	began := time.Now()
	return pretend(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			w.WriteHeader(list)
			return
		}
		said, code := ready(time.Since(began)), http.StatusInternalServerError
		if said == "" {
			code = http.StatusOK
		}
		answers(code, said, `{"gitVersion":"v1.36.3"}`)(w, r)
	})
}

// TestAwaited: of the collections that a server cannot list, it waits for those of which its informers have had a LIST
// or WATCH refused; what skewsim itself was refused, what is about one namespace and what succeeded is no sign of that.
func TestAwaited(t *testing.T) {
	line := func(code, group, version, resource, scope, verb string, n int) string {
		return fmt.Sprintf(`apiserver_request_total{code=%q,component="apiserver",dry_run="",group=%q,resource=%q,scope=%q,subresource="",verb=%q,version=%q} %d`+"\n", code, group, resource, scope, verb, version, n)
	}
	const claims, maps = "/apis/resource.k8s.io/v1/resourceclaims", "/api/v1/configmaps"
	own := line("500", "", "v1", "configmaps", "cluster", "LIST", 1) + line("500", "resource.k8s.io", "v1", "resourceclaims", "cluster", "LIST", 1)
	both := []string{claims, maps}
	for name, c := range map[string]struct {
		metrics string
		want    []string
	}{
		"watched":       {own + line("429", "resource.k8s.io", "v1", "resourceclaims", "cluster", "WATCH", 23) + line("429", "", "v1", "configmaps", "namespace", "WATCH", 46), []string{claims}},
		"listed":        {own + line("504", "", "v1", "configmaps", "cluster", "LIST", 4), []string{maps}},
		"both":          {own + line("429", "resource.k8s.io", "v1", "resourceclaims", "cluster", "WATCH", 2) + line("429", "", "v1", "configmaps", "cluster", "WATCH", 2), both},
		"other version": {own + line("429", "resource.k8s.io", "v1beta1", "resourceclaims", "cluster", "WATCH", 2), both},
		"it succeeded":  {own + line("200", "resource.k8s.io", "v1", "resourceclaims", "cluster", "WATCH", 2), both},
		"own alone":     {own, both},
		"no metrics":    {"# HELP\n", both},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := pretend(t, func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Path == "/metrics":
						_, _ = io.WriteString(w, c.metrics)
					case strings.HasPrefix(r.URL.Path, "/api"):
						w.WriteHeader(http.StatusInternalServerError)
					default:
						answers(http.StatusInternalServerError, informers+caches, `{"gitVersion":"v1.36.3"}`)(w, r)
					}
				})
				assert.NoError(t, s.awaitReady(t.Context(), time.Minute, both))
				assert.Equal(t, c.want, s.Lacks(both).Collections)
			})
		})
	}
}
