package runtest

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// The gadgets of a run: namespaced and cluster-scoped.
const (
	Collection = "/apis/example.dev/v1/namespaces/skewsim-small/gadgets"
	everywhere = "/apis/example.dev/v1/gadgets"
)

// NewProcess starts a server that answers as a small API server would, over the store of
// the given name.
func (w *World) NewProcess(b servers.Build, name, store string) *Process {
	version := b.Version
	if v := w.version[b.Reference]; v != "" {
		version = v
	}
	mux := http.NewServeMux()
	w.handleSelf(mux, b, version)
	mux.HandleFunc("POST /api/v1/namespaces", func(rw http.ResponseWriter, _ *http.Request) { Reply(rw, 201, map[string]any{}) })
	over := func(handle func(string, http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) { handle(store, rw, r) }
	}
	for _, at := range []string{Collection, everywhere} {
		mux.HandleFunc("GET "+at, over(w.collection))
		mux.HandleFunc("POST "+at, w.write)
		mux.HandleFunc("PUT "+at+"/{name}/status", w.write)
		for method, handle := range map[string]http.HandlerFunc{"GET": over(w.get), "PUT": w.write, "PATCH": over(w.get), "DELETE": w.remove} {
			mux.HandleFunc(method+" "+at+"/{name}", handle)
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.happened("%s %s through %s", r.Method, path.Base(r.URL.Path), name)
		if w.Serve != nil && w.Serve(name, rw, r) {
			return
		}
		if w.Answer != nil {
			if code, body := w.Answer(name, r.Method, r.URL.Path); code != 0 {
				rw.WriteHeader(code)
				_, _ = io.WriteString(rw, body)
				return
			}
		}
		mux.ServeHTTP(rw, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // about clients that were cut off
	server.Start()                                      // without TLS, which would take longer than the rest of these tests; sim/client tests it
	shut := func() { server.CloseClientConnections(); server.Close() }
	return &Process{
		world: w, Place: name, shut: shut, done: make(chan struct{}),
		endpoint: servers.Endpoint{URL: server.URL, Token: "t"},
	}
}

//go:embed testdata
var testdata embed.FS

// OpenAPI returns what a version of the servers publishes.
func OpenAPI(version string) []byte {
	document, err := testdata.ReadFile("testdata/" + version + ".json")
	if err != nil {
		panic(err)
	}
	return document
}

// handleSelf serves what a build reports about itself.
func (w *World) handleSelf(mux *http.ServeMux, b servers.Build, version string) {
	document := OpenAPI(b.Version)
	for at, body := range map[string]string{
		"GET /version":                        fmt.Sprintf(`{"gitVersion":%q}`, version),
		"GET /metrics":                        `kubernetes_feature_enabled{name="Later",stage="ALPHA"} 1` + "\n",
		"GET /openapi/v3/apis/example.dev/v1": string(document),
		"GET /apis/example.dev/v1": strings.ReplaceAll(`{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true},
			{"name":"gadgets/status","kind":"Gadget","namespaced":true},{"name":"others","kind":"Other"}]}`, "true", fmt.Sprint(!w.Global)),
	} {
		mux.HandleFunc(at, func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, body) })
	}
}

// Reply answers with JSON.
func Reply(rw http.ResponseWriter, code int, v any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(code)
	if err := json.NewEncoder(rw).Encode(v); err != nil {
		panic(err)
	}
}

func (w *World) get(store string, rw http.ResponseWriter, r *http.Request) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	o, err := w.content(store)[r.PathValue("name")], error(nil)
	if store != "store" {
		o, err = w.Stores[store].object(r.PathValue("name"))
	}
	switch {
	case err != nil:
		Reply(rw, 500, Status(500, "InternalError", err.Error()))
	case o == nil:
		Reply(rw, 404, Status(404, "NotFound", "not found"))
	default:
		Reply(rw, 200, o)
	}
}

// Status returns an answer without an object.
func Status(code int, reason, message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "code": code, "reason": reason, "message": message}
}

func (w *World) write(rw http.ResponseWriter, r *http.Request) {
	var o map[string]any
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		panic(err)
	}
	code := map[string]int{"POST": 201, "PUT": 200}[strings.ToUpper(r.Method)]
	w.Mu.Lock()
	defer w.Mu.Unlock()
	if r.URL.Query().Get("dryRun") == "" {
		w.Store(o)
	}
	Reply(rw, code, o)
}

// Store stores an object and reports the change to all followers.
func (w *World) Store(o map[string]any) {
	meta := o["metadata"].(map[string]any)
	name := meta["name"].(string)
	w.last++
	meta["resourceVersion"] = fmt.Sprint(w.last)
	kind := "MODIFIED"
	if w.Objects[name] == nil {
		kind = "ADDED"
	}
	w.Objects[name] = o
	raw, _ := json.Marshal(o)
	w.stored[w.last] = raw
	w.Each(stores.Change{Key: "/registry/gadgets/" + name, Value: raw, Revision: w.last})
	w.tell(kind, o)
}

func (w *World) remove(rw http.ResponseWriter, r *http.Request) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	if o := w.Objects[r.PathValue("name")]; o != nil && r.URL.Query().Get("dryRun") == "" {
		w.last++
		delete(w.Objects, r.PathValue("name"))
		w.Each(stores.Change{Key: "/registry/gadgets/" + r.PathValue("name"), Revision: w.last, Deleted: true})
		gone := maps.Clone(o)
		gone["metadata"] = map[string]any{"name": r.PathValue("name"), "resourceVersion": fmt.Sprint(w.last)}
		w.tell("DELETED", gone)
	}
	Reply(rw, 200, Status(200, "", ""))
}
