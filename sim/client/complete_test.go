package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// discovering is a server that publishes OpenAPI v3 of v1 and example.dev/v1, and tells
// discovery of the latter after a number of looks.
func discovering(t *testing.T, listedAfter, servedAfter int32) *Connection {
	t.Helper()
	var looks atomic.Int32
	answers := map[string]func() (int, string){
		"/openapi/v3": func() (int, string) {
			looks.Add(1)
			return 200, `{"paths":{"api/v1":{},"apis/example.dev/v1":{},"apis/example.dev":{},".well-known/x":{},"version":{}}}`
		},
		"/api": func() (int, string) { return 200, `{"versions":["v1"]}` },
		"/apis": func() (int, string) {
			if looks.Load() <= listedAfter {
				return 200, `{"groups":[]}`
			}
			return 200, `{"groups":[{"versions":[{"groupVersion":"example.dev/v1"}]}]}`
		},
		"/api/v1": func() (int, string) { return 200, `{"kind":"APIResourceList"}` },
		"/apis/example.dev/v1": func() (int, string) {
			if looks.Load() <= servedAfter {
				return 404, "404 page not found"
			}
			return 200, `{"kind":"APIResourceList"}`
		},
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code, body := answers[r.URL.Path]()
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	transport := server.Client()
	return &Connection{base: server.URL, within: time.Minute, http: transport}
}

// TestCompleteDiscovery: a group version that is published, and not yet discovered, is
// waited for; where all are there, nothing is.
func TestCompleteDiscovery(t *testing.T) {
	for name, c := range map[string]struct {
		listed, served int32
		within         time.Duration
		lacks          []string
	}{
		"all are there":         {0, 0, 0, nil},
		"not listed yet":        {2, 0, time.Minute, nil},
		"no list of kinds yet":  {0, 2, time.Minute, nil},
		"never listed":          {1 << 30, 0, 0, []string{"example.dev/v1"}},
		"never a list of kinds": {0, 1 << 30, 0, []string{"example.dev/v1"}},
	} {
		lacks, err := completeDiscovery(t.Context(), discovering(t, c.listed, c.served), c.within)
		require.NoError(t, err, name)
		assert.Equal(t, c.lacks, lacks, name)
	}
}
