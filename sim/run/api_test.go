package run

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

const collection = "/apis/example.dev/v1/namespaces/skewsim-small/gadgets"

// newProcess starts a TLS server that answers as a small API server would.
func (w *world) newProcess(b servers.Build, name string) *process {
	version := b.Version
	if v := w.version[b.Reference]; v != "" {
		version = v
	}
	mux := http.NewServeMux()
	w.handleSelf(mux, b, version)
	mux.HandleFunc("POST /api/v1/namespaces", func(rw http.ResponseWriter, _ *http.Request) { reply(rw, 201, map[string]any{}) })
	mux.HandleFunc("GET "+collection, w.list)
	mux.HandleFunc("POST "+collection, w.write)
	for method, handle := range map[string]http.HandlerFunc{"GET": w.get, "PUT": w.write, "PATCH": w.get, "DELETE": w.remove} {
		mux.HandleFunc(method+" "+collection+"/{name}", handle)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.happened("%s %s through %s", r.Method, path.Base(r.URL.Path), name)
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
	server.StartTLS()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	shut := func() { server.CloseClientConnections(); server.Close() }
	return &process{
		world: w, name: name, shut: shut, done: make(chan struct{}),
		endpoint: servers.Endpoint{URL: server.URL, CAData: ca, Token: "t"},
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
		"GET /apis/example.dev/v1": `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true},
			{"name":"gadgets/status","kind":"Gadget","namespaced":true},{"name":"others","kind":"Other"}]}`,
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

func (w *world) list(rw http.ResponseWriter, _ *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	items := []any{}
	for _, o := range w.objects {
		item := map[string]any{}
		for k, v := range o {
			if k != "kind" && k != "apiVersion" {
				item[k] = v
			}
		}
		items = append(items, item)
	}
	reply(rw, 200, map[string]any{"kind": "GadgetList", "items": items})
}

func (w *world) get(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o, ok := w.objects[r.PathValue("name")]
	if !ok {
		reply(rw, 404, map[string]any{"kind": "Status", "message": "not found", "reason": "NotFound"})
		return
	}
	reply(rw, 200, o)
}

func (w *world) write(rw http.ResponseWriter, r *http.Request) {
	var o map[string]any
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		panic(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	meta := o["metadata"].(map[string]any)
	name := meta["name"].(string)
	w.last++
	meta["resourceVersion"] = fmt.Sprint(w.last)
	w.objects[name] = o
	raw, _ := json.Marshal(o)
	w.each(StoreChange{Key: "/registry/" + name, Value: raw, Revision: w.last})
	code := map[string]int{"POST": 201, "PUT": 200}[strings.ToUpper(r.Method)]
	reply(rw, code, o)
}

func (w *world) remove(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.objects, r.PathValue("name"))
	w.last++
	w.each(StoreChange{Key: "/registry/" + r.PathValue("name"), Revision: w.last, Deleted: true})
	reply(rw, 200, map[string]any{"kind": "Status", "status": "Success"})
}
