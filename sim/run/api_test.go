package run

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// The gadgets of a run: in its namespace, and where they are in none.
const (
	collection = "/apis/example.dev/v1/namespaces/skewsim-small/gadgets"
	everywhere = "/apis/example.dev/v1/gadgets"
)

// newProcess starts a server that answers as a small API server would, over
// the store of the given name.
func (w *world) newProcess(b servers.Build, name, store string) *process {
	version := b.Version
	if v := w.version[b.Reference]; v != "" {
		version = v
	}
	mux := http.NewServeMux()
	w.handleSelf(mux, b, version)
	mux.HandleFunc("POST /api/v1/namespaces", func(rw http.ResponseWriter, _ *http.Request) { reply(rw, 201, map[string]any{}) })
	over := func(handle func(string, http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) { handle(store, rw, r) }
	}
	for _, at := range []string{collection, everywhere} {
		mux.HandleFunc("GET "+at, over(w.collection))
		mux.HandleFunc("POST "+at, w.write)
		mux.HandleFunc("PUT "+at+"/{name}/status", w.write)
		for method, handle := range map[string]http.HandlerFunc{"GET": over(w.get), "PUT": w.write, "PATCH": over(w.get), "DELETE": w.remove} {
			mux.HandleFunc(method+" "+at+"/{name}", handle)
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.happened("%s %s through %s", r.Method, path.Base(r.URL.Path), name)
		if w.serve != nil && w.serve(name, rw, r) {
			return
		}
		if w.answer != nil {
			if code, body := w.answer(name, r.Method, r.URL.Path); code != 0 {
				rw.WriteHeader(code)
				_, _ = io.WriteString(rw, body)
				return
			}
		}
		mux.ServeHTTP(rw, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of clients that were cut off
	server.Start()                                      // without TLS, which costs more than all else of these tests: sim/client tests it
	shut := func() { server.CloseClientConnections(); server.Close() }
	return &process{
		world: w, name: name, shut: shut, done: make(chan struct{}),
		endpoint: servers.Endpoint{URL: server.URL, Token: "t"},
	}
}

// handleSelf serves what a build says of itself.
func (w *world) handleSelf(mux *http.ServeMux, b servers.Build, version string) {
	document, err := os.ReadFile("testdata/" + b.Version + ".json")
	if err != nil {
		panic(err)
	}
	for at, body := range map[string]string{
		"GET /version":                        fmt.Sprintf(`{"gitVersion":%q}`, version),
		"GET /metrics":                        `kubernetes_feature_enabled{name="Later",stage="ALPHA"} 1` + "\n",
		"GET /openapi/v3/apis/example.dev/v1": string(document),
		"GET /apis/example.dev/v1": strings.ReplaceAll(`{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true},
			{"name":"gadgets/status","kind":"Gadget","namespaced":true},{"name":"others","kind":"Other"}]}`, "true", fmt.Sprint(!w.global)),
	} {
		mux.HandleFunc(at, func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, body) })
	}
}

func reply(rw http.ResponseWriter, code int, v any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(code)
	if err := json.NewEncoder(rw).Encode(v); err != nil {
		panic(err)
	}
}

func (w *world) get(store string, rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o, err := w.content(store)[r.PathValue("name")], error(nil)
	if store != "store" {
		o, err = w.stores[store].object(r.PathValue("name"))
	}
	switch {
	case err != nil:
		reply(rw, 500, status(500, "InternalError", err.Error()))
	case o == nil:
		reply(rw, 404, status(404, "NotFound", "not found"))
	default:
		reply(rw, 200, o)
	}
}

func status(code int, reason, message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "code": code, "reason": reason, "message": message}
}

func (w *world) write(rw http.ResponseWriter, r *http.Request) {
	var o map[string]any
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		panic(err)
	}
	code := map[string]int{"POST": 201, "PUT": 200}[strings.ToUpper(r.Method)]
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.URL.Query().Get("dryRun") == "" {
		w.store(o)
	}
	reply(rw, code, o)
}

// store keeps an object and tells everybody who follows.
func (w *world) store(o map[string]any) {
	meta := o["metadata"].(map[string]any)
	name := meta["name"].(string)
	w.last++
	meta["resourceVersion"] = fmt.Sprint(w.last)
	kind := "MODIFIED"
	if w.objects[name] == nil {
		kind = "ADDED"
	}
	w.objects[name] = o
	raw, _ := json.Marshal(o)
	w.stored[w.last] = raw
	w.each(StoreChange{Key: "/registry/gadgets/" + name, Value: raw, Revision: w.last})
	w.tell(kind, o)
}

func (w *world) remove(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if o := w.objects[r.PathValue("name")]; o != nil && r.URL.Query().Get("dryRun") == "" {
		w.last++
		delete(w.objects, r.PathValue("name"))
		w.each(StoreChange{Key: "/registry/gadgets/" + r.PathValue("name"), Revision: w.last, Deleted: true})
		gone := maps.Clone(o)
		gone["metadata"] = map[string]any{"name": r.PathValue("name"), "resourceVersion": fmt.Sprint(w.last)}
		w.tell("DELETED", gone)
	}
	reply(rw, 200, map[string]any{"kind": "Status", "status": "Success"})
}
