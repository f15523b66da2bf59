package reading

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/seclusion"
	"github.com/skewsim/skewsim/sim/client"
)

// TestTries: a write that is never answered decides nothing; one that is not found although its object
// is there is refused; one whose object is gone is no write; one that met another write is sent
// again with what is there now.
func TestTries(t *testing.T) {
	var mu sync.Mutex
	reads := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		switch {
		case r.Method == http.MethodGet && name == "gone":
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet:
			reads[name]++
			_, _ = w.Write([]byte(`{"metadata":{"name":"` + name + `","resourceVersion":"2"}}`))
		case name == "conflict" && reads[name] > 0:
			_, _ = w.Write([]byte(`{}`))
		case name == "conflict":
			w.WriteHeader(http.StatusConflict)
		case name == "busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case name == "hooked":
			http.Error(w, "conversion webhook failed: Post "+seclusion.Unreachable+": refused", http.StatusInternalServerError)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	for name, c := range map[string]struct{ sent, refused, unanswered bool }{
		"busy": {sent: true, unanswered: true}, "lost": {sent: true, refused: true}, "gone": {}, "conflict": {sent: true}, "hooked": {sent: true, unanswered: true},
	} {
		o := object{Record: &Record{Name: name, Namespace: "n"}, Form: Form{APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"update"}}, body: map[string]any{}}
		try, sent := o.try(t.Context(), conn, Put)
		assert.Equal(t, c.sent, sent, name)
		if sent {
			assert.Equal(t, c.refused, try.Refused(), name)
			assert.Equal(t, c.unanswered, try.Unanswered(), name)
		}
	}
	hooked := Record{Form: "a/v1", Code: http.StatusInternalServerError, Message: "webhook: " + seclusion.Unreachable}
	assert.True(t, hooked.Unanswered())
	assert.False(t, hooked.Fails())
}

// TestAsRead: an object is put as the server has shown it, byte for byte: the order in an opaque part, and a number
// that no JSON library of Go keeps, stay.
func TestAsRead(t *testing.T) {
	const shown = `{"kind":"A","metadata":{"name":"x"},"data":{"z":18446744073709551615,"a":1.10},"status":{}}`
	sent := []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.Method == http.MethodPut {
			sent = append(sent, r.URL.Path+" "+string(body))
		}
		_, _ = w.Write([]byte(shown))
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	form := Form{APIVersion: "v1", Plural: "as", Verbs: []string{"get", "update"}, Subresources: []string{"status"}}
	o, err := read(t.Context(), conn, &Record{Name: "x"}, form)
	require.NoError(t, err)
	for _, w := range []Write{Put, Status} {
		_, is := o.try(t.Context(), conn, w)
		assert.True(t, is)
	}
	assert.Equal(t, []string{"/api/v1/as/x " + shown, "/api/v1/as/x/status " + shown}, sent)
}

// TestKeep: what is kept is read again, and the file shows nothing of it.
func TestKeep(t *testing.T) {
	name := filepath.Join(t.TempDir(), "records")
	require.NoError(t, Keep(name, []Record{{Key: "a", Object: []byte(`{"k":"s3cr3t"}`)}}))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	_, err = gzip.NewReader(bytes.NewReader(text))
	assert.Error(t, err, "the file is not encrypted")
	var all []string
	require.NoError(t, Each(name, func(r *Record) error { all = append(all, r.Key+string(r.Object)); return nil }))
	assert.Equal(t, []string{`a{"k":"s3cr3t"}`}, all)
}
