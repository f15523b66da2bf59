package crd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// store is a store of definitions, with a server over it that answers as a kube-apiserver does.
type store struct {
	mu        sync.Mutex
	revision  int
	byName    map[string]map[string]any
	changed   chan struct{} // closed with each change
	sent      []string      // of all requests that write or read one definition, and of watches of all
	write     func(name string) (code int, stores bool)
	establish func(name string)
	refusal   string // of names
}

func newStore() *store {
	return &store{byName: map[string]map[string]any{}, changed: make(chan struct{}), write: func(string) (int, bool) { return 200, true }, establish: func(string) {}}
}

// RoundTrip implements http.RoundTripper.
func (s *store) RoundTrip(r *http.Request) (*http.Response, error) {
	name, isOne := strings.CutPrefix(r.URL.Path, definitions)
	isWatch := r.URL.Query().Get("watch") != ""
	switch {
	case isOne && r.Method == http.MethodPatch:
		s.tell("PATCH " + name)
		return s.patch(r, name)
	case isOne:
		s.tell("GET " + name)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.byName[name] == nil {
			return answered(404, map[string]any{}), nil
		}
		return answered(200, s.byName[name]), nil
	case isWatch && r.URL.Path+"/" == definitions:
		s.tell("WATCH")
		return s.watch(r.Context()), nil
	case isWatch:
		return answered(200, map[string]any{}), nil
	case r.URL.Path == "/openapi/v3":
		return answered(200, map[string]any{"paths": map[string]any{"apis/x.io/v1": map[string]any{"serverRelativeURL": "/doc"}}}), nil
	case r.URL.Path == "/apis/x.io/v1":
		s.mu.Lock()
		defer s.mu.Unlock()
		var all []any
		for name := range s.byName {
			plural, _, _ := strings.Cut(name, ".")
			all = append(all, map[string]any{"name": plural})
		}
		return answered(200, map[string]any{"resources": all}), nil
	}
	return answered(200, map[string]any{}), nil
}

func (s *store) tell(request string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, request)
}

// count returns how many requests begin with a word.
func (s *store) count(word string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, request := range s.sent {
		if strings.HasPrefix(request, word) {
			n++
		}
	}
	return n
}

func (s *store) patch(r *http.Request, name string) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	code, stores := s.write(name)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var d map[string]any
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, err
	}
	if stores {
		s.put(name, d, nil)
		go func() {
			s.establish(name)
			conditions := []any{map[string]any{"type": "Established", "status": "True"}}
			if s.refusal != "" {
				conditions = []any{map[string]any{"type": "NamesAccepted", "status": "False", "reason": s.refusal}}
			}
			s.put(name, d, map[string]any{"conditions": conditions, "storedVersions": []any{"v1"}})
		}()
	}
	if code >= 300 {
		return answered(code, map[string]any{"message": "no"}), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return answered(code, map[string]any{"metadata": s.byName[name]["metadata"]}), nil
}

func (s *store) put(name string, d, status map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	is := maps.Clone(d)
	metadata := maps.Clone(d["metadata"].(map[string]any))
	metadata["resourceVersion"] = fmt.Sprint(s.revision)
	is["metadata"] = metadata
	if status != nil {
		is["status"] = status
	}
	s.byName[name] = is
	close(s.changed)
	s.changed = make(chan struct{})
}

// watch sends every definition whenever one changes.
func (s *store) watch(ctx context.Context) *http.Response {
	r, w := io.Pipe()
	go func() {
		for {
			s.mu.Lock()
			var lines bytes.Buffer
			for _, name := range slices.Sorted(maps.Keys(s.byName)) {
				_ = json.NewEncoder(&lines).Encode(map[string]any{"type": "MODIFIED", "object": s.byName[name]})
			}
			next := s.changed
			s.mu.Unlock()
			if _, err := w.Write(lines.Bytes()); err != nil {
				return
			}
			select {
			case <-next:
			case <-ctx.Done():
				w.CloseWithError(ctx.Err())
				return
			}
		}
	}()
	return &http.Response{StatusCode: 200, Body: r}
}

func answered(code int, body any) *http.Response {
	text, _ := json.Marshal(body)
	return &http.Response{StatusCode: code, Body: io.NopCloser(bytes.NewReader(text))}
}

// manifests returns definitions of kinds.
func manifests(kinds ...string) *servers.Installation {
	i := &servers.Installation{}
	for _, kind := range kinds {
		name := strings.ToLower(kind) + "s"
		i.Defines = append(i.Defines, name+".x.io")
		i.Objects = append(i.Objects, json.RawMessage(fmt.Sprintf(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			"metadata": {"name": "%s.x.io"}, "spec": {"group": "x.io", "scope": "Namespaced", "names": {"kind": "%s", "plural": "%s"},
			"versions": [{"name": "v1", "served": true, "storage": true}]}}`, name, kind, name)))
	}
	return i
}

// installed installs on a server over a store, and returns what the servers answered to each object.
func (s *store) installed(ctx context.Context, i *servers.Installation, at turns) (codes []int, err error) {
	to := &installer{http: &http.Client{Transport: s}, ended: make(chan struct{})}
	all, err := to.install(ctx, i, nil, at)
	for _, one := range all {
		codes = append(codes, one.Code)
	}
	return codes, err
}

func oneQueue() turns { return turns{"build", &queues{}} }

// TestLateAnswer: a write whose answer is late is waited for, and not sent again.
func TestLateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.write = func(string) (int, bool) { time.Sleep(maxStall - time.Second); return 201, true }
		codes, err := s.installed(t.Context(), manifests("A", "B", "C"), oneQueue())
		require.NoError(t, err, "three of them take longer than the limit of one step")
		assert.Equal(t, []int{201, 201, 201}, codes)
		assert.Equal(t, 3, s.count("PATCH"))
	})
}

// TestEndedWrite: a write that the server ended itself is sent again only if nothing came of it.
func TestEndedWrite(t *testing.T) {
	for _, stores := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s, tries := newStore(), 0
			s.write = func(string) (int, bool) {
				if tries++; tries > 1 {
					return 200, true
				}
				time.Sleep(34 * time.Second)
				return http.StatusGatewayTimeout, stores
			}
			_, err := s.installed(t.Context(), manifests("A"), oneQueue())
			require.NoError(t, err)
			want := map[bool]int{true: 1, false: 2}[stores]
			assert.Equal(t, want, s.count("PATCH"))
		})
	}
}

// TestStalled: a server without any progress is given up, after one write.
func TestStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.write = func(string) (int, bool) { time.Sleep(2 * maxStall); return 200, true }
		_, err := s.installed(t.Context(), manifests("A", "B"), oneQueue())
		assert.ErrorIs(t, err, errStalled)
		assert.NotErrorIs(t, err, context.Canceled, "nobody interrupted it")
		assert.Equal(t, 1, s.count("PATCH"))
		synctest.Wait()
	})
}

// TestInstalledBefore: a server over a store that has the definitions writes none of them, and one that has
// others writes those.
func TestInstalledBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		_, err := s.installed(t.Context(), manifests("A", "B"), oneQueue())
		require.NoError(t, err)
		codes, err := s.installed(t.Context(), manifests("A", "B"), oneQueue())
		require.NoError(t, err)
		assert.Equal(t, []int{200, 200}, codes)
		assert.Equal(t, 2, s.count("PATCH"))
		for from, to := range map[string]string{`"storage": true`: `"storage": true, "deprecated": true`, `"name": "bs.x.io"`: `"name": "bs.x.io", "labels": {"a": "b"}`} {
			other := manifests("A", "B")
			other.Objects[1] = json.RawMessage(strings.Replace(string(other.Objects[1]), from, to, 1))
			before := s.count("PATCH")
			_, err = s.installed(t.Context(), other, oneQueue())
			require.NoError(t, err)
			assert.Equal(t, before+1, s.count("PATCH"), to)
			assert.Equal(t, "PATCH bs.x.io", s.sent[slices.IndexFunc(s.sent[len(s.sent)-3:], func(r string) bool { return strings.HasPrefix(r, "PATCH") })+len(s.sent)-3])
		}
	})
}

// TestTurns: servers over one store that start at once write each definition once; those of different builds
// do not wait for each other.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.write = func(string) (int, bool) { time.Sleep(time.Minute); return 201, true }
		began, at := time.Now(), oneQueue()
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				_, err := s.installed(t.Context(), manifests("A", "B"), at)
				assert.NoError(t, err)
			})
		}
		other := newStore()
		all.Go(func() {
			_, err := other.installed(t.Context(), manifests("A"), turns{"other", at.all})
			assert.NoError(t, err)
		})
		all.Wait()
		assert.Equal(t, 2, s.count("PATCH"))
		assert.Equal(t, 1, other.count("PATCH"))
		assert.Less(t, time.Since(began), 3*time.Minute)
	})
}

// TestEstablished: the status of definitions is watched, and not asked for.
func TestEstablished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.establish = func(string) { time.Sleep(time.Minute) }
		_, err := s.installed(t.Context(), manifests("A", "B"), oneQueue())
		require.NoError(t, err)
		assert.Equal(t, 1, s.count("WATCH"))
		assert.Equal(t, 2, s.count("GET"), "whether the store has each, before it is written")
	})
}

// TestNamesRefused: a definition whose names are not accepted is an error of the manifest.
func TestNamesRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.refusal = "KindConflict"
		_, err := s.installed(t.Context(), manifests("A"), oneQueue())
		refused := new(servers.RequestError)
		assert.True(t, errors.As(err, &refused))
		assert.ErrorContains(t, err, "KindConflict")
	})
}
