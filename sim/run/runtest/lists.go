package runtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// event is one event of the world's watches.
type event struct {
	revision int64
	line     []byte
}

// tell sends an event to all watches. The caller holds the lock.
func (w *World) tell(kind string, o map[string]any) {
	line, _ := json.Marshal(map[string]any{"type": kind, "object": o})
	w.told = append(w.told, event{w.last, line})
	close(w.more)
	w.more = make(chan struct{})
}

// content returns the objects that a server over the store serves.
func (w *World) content(store string) map[string]map[string]any {
	if store == "store" {
		return w.Objects
	}
	all := map[string]map[string]any{}
	for key := range w.Stores[store].values {
		name := key[strings.LastIndex(key, "/")+1:]
		all[name], _ = w.Stores[store].object(name)
	}
	return all
}

// object returns the object that a scratch store holds under a name, nil for none. A value
// that is not JSON cannot be read.
func (s *fakeStore) object(name string) (o map[string]any, err error) {
	raw, ok := s.values["/registry/gadgets/"+name]
	if !ok {
		return nil, nil
	}
	if json.Unmarshal(raw, &o) != nil {
		return nil, errors.New("unable to decode")
	}
	return o, nil
}

func (s *fakeStore) Put(_ context.Context, key string, value []byte) error {
	s.world.Mu.Lock()
	defer s.world.Mu.Unlock()
	s.values[key] = value
	return nil
}

func (s *fakeStore) At(_ context.Context, key string, revision int64) ([]byte, error) {
	s.world.Mu.Lock()
	defer s.world.Mu.Unlock()
	if s.world.Corrupt != nil {
		return s.world.Corrupt(key, revision, s.world.stored[revision]), nil
	}
	return s.world.stored[revision], nil
}

// collection answers LISTs in every form, and WATCHes.
func (w *World) collection(store string, rw http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("watch") != "" {
		w.watch(store, rw, r)
		return
	}
	w.Mu.Lock()
	defer w.Mu.Unlock()
	all := w.content(store)
	items := []any{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if all[name] == nil {
			Reply(rw, 500, Status(500, "InternalError", "unable to decode"))
			return
		}
		item := maps.Clone(all[name])
		delete(item, "kind")
		delete(item, "apiVersion")
		items = append(items, item)
	}
	meta := map[string]any{"resourceVersion": strconv.FormatInt(w.last, 10)}
	if limit, _ := strconv.Atoi(r.URL.Query().Get("limit")); limit > 0 {
		from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
		if items = items[from:]; len(items) > limit {
			items, meta["continue"] = items[:limit], strconv.Itoa(from+limit)
		}
	}
	Reply(rw, 200, map[string]any{"kind": "GadgetList", "metadata": meta, "items": items})
}

// watch streams the events from a revision on; from 0 on, the existing objects first.
func (w *World) watch(store string, rw http.ResponseWriter, r *http.Request) {
	from, _ := strconv.ParseInt(r.URL.Query().Get("resourceVersion"), 10, 64)
	rw.WriteHeader(200)
	flush := rw.(http.Flusher).Flush
	flush()
	if store != "store" || from == 0 {
		w.Mu.Lock()
		for name, o := range w.content(store) {
			if o == nil {
				fmt.Fprintln(rw, `{"type":"ERROR","object":{"kind":"Status","code":500,"reason":"InternalError","message":"unable to decode `+name+`"}}`)
				w.Mu.Unlock()
				return
			}
			line, _ := json.Marshal(map[string]any{"type": "ADDED", "object": o})
			fmt.Fprintf(rw, "%s\n", line)
		}
		from = w.last
		w.Mu.Unlock()
		flush()
	}
	for sent := 0; ; {
		w.Mu.Lock()
		news, more := w.told[sent:], w.more
		sent = len(w.told)
		w.Mu.Unlock()
		if len(news) > 0 {
			time.Sleep(w.Lag)
		}
		for _, e := range news {
			if e.revision > from {
				line := e.line
				if w.Event != nil {
					line = w.Event(line)
				}
				fmt.Fprintf(rw, "%s\n", line)
			}
		}
		flush()
		select {
		case <-more:
		case <-r.Context().Done():
			return
		}
	}
}
