package apiserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSmokeVerbs(t *testing.T) {
	k := newKernel(t)
	s := k.start(t, "1.1")
	t.Run("create fills in and clears", func(t *testing.T) {
		o := s.do("POST", v6, `{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","metadata":{"generateName":"a-","generation":7},"spec":{"height":3,"param":"x"},"status":{"replicas":5}}`).json(t, 201)
		assert.Equal(t, map[string]any{"height": 3., "param": "x", "replicas": 1., "width": 1.}, o["spec"])
		assert.Equal(t, map[string]any{"area": 3.}, o["status"], "a client's status is dropped, the server's is computed")
		assert.Equal(t, 1., at(o, "metadata", "generation"))
		assert.Equal(t, "default", at(o, "metadata", "namespace"))
		assert.True(t, strings.HasPrefix(at(o, "metadata", "name").(string), "a-"))
	})
	t.Run("one name is one object", func(t *testing.T) {
		s.create("once", `{"height":1}`)
		assert.Equal(t, "AlreadyExists", s.do("POST", v6, body("once", `{}`)).json(t, 409)["reason"])
		assert.Equal(t, "NotFound", s.do("GET", v6+"/never", "").json(t, 404)["reason"])
		assert.Equal(t, "NotFound", s.do("PUT", v6+"/never", body("never", `{}`)).json(t, 404)["reason"], "an update does not create")
	})
	t.Run("update", func(t *testing.T) {
		o := s.create("up", `{"height":1,"width":2}`)
		first := at(o, "metadata", "resourceVersion")
		o = s.do("PUT", v6+"/up", body("up", `{"height":2,"param":"y"}`)).json(t, 200)
		assert.Equal(t, map[string]any{"height": 2., "param": "y", "replicas": 1., "width": 1.}, o["spec"])
		assert.Equal(t, 2., at(o, "metadata", "generation"), "the spec changed")
		labelled := s.patch(v6+"/up", "application/merge-patch+json", `{"metadata":{"labels":{"a":"b"}}}`).json(t, 200)
		assert.Equal(t, 2., at(labelled, "metadata", "generation"), "the spec did not change")
		stale := strings.Replace(body("up", `{"height":3}`), `"metadata":{`, fmt.Sprintf(`"metadata":{"resourceVersion":%q,`, first), 1)
		assert.Equal(t, "Conflict", s.do("PUT", v6+"/up", stale).json(t, 409)["reason"])
	})
	t.Run("dry runs store nothing", func(t *testing.T) {
		before := k.stored(t)
		assert.Equal(t, "dry", at(s.do("POST", v6+"?dryRun=All", body("dry", `{"height":1}`)).json(t, 201), "metadata", "name"))
		assert.Equal(t, before, k.stored(t))
	})
	t.Run("delete", func(t *testing.T) {
		s.create("gone", `{"height":1}`)
		assert.Equal(t, "Success", s.do("DELETE", v6+"/gone", "").json(t, 200)["status"])
		s.do("GET", v6+"/gone", "").json(t, 404)
	})
}

func TestSmokeFinalizersHoldADelete(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	s.create("held", `{"height":1}`)
	s.patch(v6+"/held", "application/merge-patch+json", `{"metadata":{"finalizers":["example.com/hold"]}}`).json(t, 200)
	o := s.do("DELETE", v6+"/held", `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":30}`).json(t, 200)
	assert.NotEmpty(t, at(o, "metadata", "deletionTimestamp"))
	assert.Equal(t, 2., at(o, "metadata", "generation"))
	s.do("GET", v6+"/held", "").json(t, 200)
	s.patch(v6+"/held", "application/merge-patch+json", `{"metadata":{"finalizers":null}}`).json(t, 200)
	s.do("GET", v6+"/held", "").json(t, 404)
}

func TestSmokeListsAndSelectors(t *testing.T) {
	s := newKernel(t).start(t, "1.3")
	for i := range 5 {
		s.create(fmt.Sprintf("f%d", i), fmt.Sprintf(`{"height":%d,"param":"p%d"}`, i, i%2))
	}
	names := func(path string) (names []string) {
		t.Helper()
		for _, item := range s.do("GET", path, "").json(t, 200)["items"].([]any) {
			names = append(names, at(item, "metadata", "name").(string))
		}
		return names
	}
	for _, path := range []string{v6, v7, "/apis/frobbing.example.com/v6/frobbers"} {
		assert.Len(t, names(path), 5)
		assert.Equal(t, []string{"f1", "f3"}, names(path+"?fieldSelector=spec.param%3Dp1"))
		assert.Equal(t, []string{"f2"}, names(path+"?fieldSelector=metadata.name%3Df2"))
		assert.Len(t, names(path+"?fieldSelector=metadata.namespace%3Ddefault"), 5)
		assert.Equal(t, "field label not supported: spec.height", s.do("GET", path+"?fieldSelector=spec.height%3D1", "").json(t, 400)["message"])
	}
	list := s.do("GET", v6, "").json(t, 200)
	assert.Equal(t, 2., at(list["items"].([]any)[2], "status", "area"), "lists are observed as well")
	page := s.do("GET", v6+"?limit=2", "").json(t, 200)
	assert.Len(t, page["items"], 2)
	assert.Len(t, names(v6+"?continue="+at(page, "metadata", "continue").(string)), 3)
	assert.Equal(t, "FrobberList", s.do("DELETE", v6+"?fieldSelector=spec.param%3Dp0", "").json(t, 200)["kind"])
	assert.Equal(t, []string{"f1", "f3"}, names(v6+"?resourceVersion=0&resourceVersionMatch=NotOlderThan&fieldSelector=spec.param%3Dp1"))
	assert.Len(t, names(v6), 2)
}

// events are those of an open watch.
type events struct {
	t     *testing.T
	lines *bufio.Scanner
}

// watching opens a watch.
func (s *server) watching(path string) events {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	require.NoError(s.t, err)
	request.Header.Set("Authorization", "Bearer secret")
	response, err := s.client.Do(request)
	require.NoError(s.t, err)
	require.Equal(s.t, 200, response.StatusCode)
	s.t.Cleanup(func() { _ = response.Body.Close() })
	return events{s.t, bufio.NewScanner(response.Body)}
}

func (w events) next() map[string]any {
	w.t.Helper()
	require.True(w.t, w.lines.Scan(), "the watch ended: %v", w.lines.Err())
	var e map[string]any
	require.NoError(w.t, json.Unmarshal(w.lines.Bytes(), &e))
	return e
}

// ends waits for the end, and returns an error if the watch was cut off.
func (w events) ends() error {
	for w.lines.Scan() {
	}
	return w.lines.Err()
}

// TestSmokeWatch has enough watches for the library to encode an event only once: each watch
// still shows the status that is computed on reading.
func TestSmokeWatch(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	var watches []events
	for range 5 {
		watches = append(watches, s.watching(v6+"?watch=1&fieldSelector=spec.param%3Dseen"))
	}
	s.create("w", `{"height":3,"param":"seen"}`)
	s.create("x", `{"height":3,"param":"unseen"}`)
	s.patch(v6+"/w", "application/merge-patch+json", `{"spec":{"width":2}}`).json(t, 200)
	s.do("DELETE", v6+"/w", "").json(t, 200)
	for i, w := range watches {
		for _, want := range []struct {
			kind string
			area float64
		}{{"ADDED", 3}, {"MODIFIED", 6}, {"DELETED", 6}} {
			e := w.next()
			assert.Equal(t, want.kind, e["type"], "watch %d", i)
			assert.Equal(t, want.area, at(e, "object", "status", "area"), "watch %d: %s", i, want.kind)
			assert.Equal(t, "w", at(e, "object", "metadata", "name"))
		}
	}
}

// TestSmokeWatchBeginsWithAList is how informers begin: the existing objects, then a bookmark.
func TestSmokeWatchBeginsWithAList(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	s.create("w", `{"height":3}`)
	w := s.watching(v6 + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
	e := w.next()
	assert.Equal(t, []any{"ADDED", 3.}, []any{e["type"], at(e, "object", "status", "area")})
	e = w.next()
	assert.Equal(t, "BOOKMARK", e["type"])
	assert.Equal(t, map[string]any{"k8s.io/initial-events-end": "true"}, at(e, "object", "metadata", "annotations"))
}

// TestSmokeRules tests each hook of a rule.
func TestSmokeRules(t *testing.T) {
	s := newKernel(t).start(t, "1.1 chatty")
	created := s.do("POST", v6, body("a", `{"height":3,"param":"x"}`))
	assert.Equal(t, "x+", at(created.json(t, 201), "spec", "param"))
	assert.Equal(t, []string{`299 - "spec.param: x+ is out of fashion"`}, created.header.Values("Warning"))
	updated := s.patch(v6+"/a", "application/merge-patch+json", `{"spec":{"height":9,"width":2}}`)
	assert.Equal(t, 3., at(updated.json(t, 200), "spec", "height"))
	assert.Equal(t, 2., at(updated.json(t, 200), "spec", "width"))
	refused := s.patch(v6+"/a", "application/merge-patch+json", `{"spec":{"param":"y"}}`).json(t, 422)
	assert.Equal(t, `Frobber.frobbing.example.com "a" is invalid: spec.param: Forbidden: may not change`, refused["message"])
}
