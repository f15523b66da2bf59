package run

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// TestLikeness: what copies may differ in and still be alike, and what not.
func TestLikeness(t *testing.T) {
	w, _ := standing(t)
	const plain = `{"kind":"Gadget","metadata":{"name":%q,"uid":"u-%[1]s","resourceVersion":"1","labels":{"skewsim.dev/touch":"untouched"},
		"managedFields":[{"manager":"m","time":"t1"},{"manager":"l","time":"t2"}]},"spec":{"size":1,"self":"ref/%[1]s"}}`
	of := func(name, text string) likeness {
		object, err := decodeObject([]byte(text))
		require.NoError(t, err)
		return w.likeness(name, object)
	}
	a, b := fmt.Sprintf(plain, "x-treated-001"), fmt.Sprintf(plain, "x-untouched-001")
	want := of("x-treated-001", a)
	assert.Equal(t, want, of("x-untouched-001", b), "the name and the uid, wherever they stand")
	for change, alike := range map[[2]string]bool{
		{`"resourceVersion":"1"`, `"resourceVersion":"2","generation":4,"creationTimestamp":"now"`}: true,
		{`untouched"}`, `step-17"}`}:   true,
		{`"time":"t1"`, `"time":"t2"`}: true,
		{`{"manager":"m","time":"t1"},{"manager":"l","time":"t2"}`, `{"manager":"l","time":"t1"},{"manager":"m","time":"t1"}`}: true,
		{`"manager":"m"`, `"manager":"n"`}:       false,
		{`"size":1`, `"size":2`}:                 false,
		{`"size":1,`, ``}:                        false,
		{`"kind":"Gadget"`, `"kind":"Other"`}:    false,
		{`"uid"`, `"deletionTimestamp":1,"uid"`}: false,
		{`"ref/`, `"reference/`}:                 false,
	} {
		changed := strings.Replace(b, change[0], change[1], 1)
		require.NotEqual(t, b, changed, change)
		assert.Equal(t, alike, want == of("x-untouched-001", changed), change)
	}
	first := of("x-treated-001", strings.Replace(a, `"uid"`, `"deletionTimestamp":1,"uid"`, 1))
	assert.Equal(t, first, of("x-untouched-001", strings.Replace(b, `"uid"`, `"deletionTimestamp":2,"uid"`, 1)))
}

// TestLikenessOfMarks: what a step marks its own copy with tells nothing, and
// what it would not have marked does.
func TestLikenessOfMarks(t *testing.T) {
	w, _ := standing(t)
	w.acts["x-treated-001"] = []plan.Step{{Number: 17, Mutation: &plan.Mutation{Kind: plan.Scale, Names: []string{".spec.replicas"}}}}
	w.acts["x-treated-002"] = []plan.Step{{Number: 4, Mutation: &plan.Mutation{Kind: plan.Scale, Names: []string{".spec.replicas"}}}}
	of := func(name string, replicas int, message string) likeness {
		object, err := decodeObject(fmt.Appendf(nil, `{"metadata":{"name":%q},"spec":{"replicas":%d},"status":{"message":%q}}`, name, replicas, message))
		require.NoError(t, err)
		return w.likeness(name, object)
	}
	want := of("x-treated-001", 17, "step-17")
	assert.Equal(t, want, of("x-treated-002", 4, "step-4"))
	assert.NotEqual(t, want, of("x-treated-002", 17, "step-4"))
	assert.NotEqual(t, want, of("x-treated-002", 4, "step-17"))
}

// TestLikenessOfTimes: when a server did something to a copy tells nothing; that
// it did does, and so does a text that only looks like a time.
func TestLikenessOfTimes(t *testing.T) {
	const document = `{"components":{"schemas":{
		"dev.example.v1.Gadget":{"type":"object","x-kubernetes-group-version-kind":[{"group":"example.dev","version":"v1","kind":"Gadget"}],
			"properties":{"status":{"type":"object","properties":{"note":{"type":"string"},
				"moved":{"allOf":[{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}]}}}}},
		"io.k8s.apimachinery.pkg.apis.meta.v1.Time":{"type":"string","format":"date-time"}}}}`
	w, _ := standing(t)
	published, err := schema.Parse([][]byte{[]byte(document)})
	require.NoError(t, err)
	w.known[term.Old] = known{schema: published}
	of := func(status string) likeness {
		object, err := decodeObject([]byte(`{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":"x"},"status":` + status + `}`))
		require.NoError(t, err)
		return w.likeness("x", object)
	}
	const second, next = `"2026-01-01T00:00:00Z"`, `"2026-01-01T00:00:01Z"`
	want := of(`{"moved":` + second + `,"note":` + second + `}`)
	assert.Equal(t, want, of(`{"moved":`+next+`,"note":`+second+`}`))
	assert.NotEqual(t, want, of(`{"moved":`+second+`,"note":`+next+`}`))
	assert.NotEqual(t, want, of(`{"moved":null,"note":`+second+`}`))
	assert.NotEqual(t, want, of(`{"note":`+second+`}`))
}

// TestGroups: a try speaks for copies of one manifest, whatever they are there for.
func TestGroups(t *testing.T) {
	w := newWorld(t)
	c := config(t, w, smallPlan(t, small))
	require.NoError(t, Run(bounded(t), c))
	copies := map[string]plan.Copy{}
	for _, known := range c.Plan.Copies {
		copies[known.Name] = known
	}
	spoken := 0
	for _, op := range load(t, c).Operations {
		for _, other := range op.For {
			spoken++
			assert.Equal(t, copies[op.Copy].Manifest, copies[other].Manifest, "%s speaks for %s", op.Copy, other)
		}
	}
	assert.NotZero(t, spoken, "copies are alike")
}

// TestLooks: only copies that a live release has shown, as they are stored now,
// are like others.
func TestLooks(t *testing.T) {
	m := newMemory()
	old, both := []term.Role{term.Old}, []term.Role{term.Old, term.New}
	for i, name := range []string{"a", "b", "c"} {
		m.note(history.Record{Change: &history.Change{Revision: int64(i + 1), Key: "/x/" + name}})
		m.resembles("d"+name, "example.dev/v1", likeness{1})
		m.note(history.Record{Operation: &history.Operation{Copy: name, Role: term.Old, Purpose: history.Look,
			Exchange: history.Exchange{Method: "GET", Code: 200, Answer: "d" + name, Revision: int64(i + 1)}}})
	}
	looks := func(name string, live []term.Role) string {
		text, exists := m.looks(name, live)
		assert.True(t, exists, name)
		return text
	}
	assert.Equal(t, looks("a", old), looks("b", old))
	assert.NotEqual(t, looks("a", []term.Role{term.New}), looks("b", []term.Role{term.New}), "new has not shown either")
	m.resembles("other", "example.dev/v1", likeness{2})
	m.note(history.Record{Listing: &history.Listing{Role: term.New, Items: []history.Item{{Copy: "b", Answer: "other", Revision: 2}}}})
	assert.NotEqual(t, looks("a", both), looks("b", both), "one release tells them apart")
	m.note(history.Record{Change: &history.Change{Revision: 9, Key: "/x/a"}})
	assert.NotEqual(t, looks("a", old), looks("c", old), "what is stored now was not shown")
	m.note(history.Record{Change: &history.Change{Revision: 10, Key: "/x/c", Deleted: true}})
	_, exists := m.looks("c", old)
	assert.False(t, exists)
	_, exists = m.looks("d", old)
	assert.False(t, exists)
	assert.Equal(t, int64(10), m.newestOf([]string{"a", "d"}))
	assert.Zero(t, m.newestOf([]string{"d"}))
}

// tries are a run's attempts, in the order of the plan, with whom they speak for.
func tries(h *history.History) (all []string) {
	for _, o := range h.Operations {
		if o.Purpose == history.Try {
			all = append(all, fmt.Sprint(o.Step, " ", o.Copy, " ", o.Replica, " ", o.Attempt, " ", o.Exchange.Method, " ?", o.Exchange.Query, " ", o.Exchange.Code, " for ", o.For))
		}
	}
	slices.Sort(all)
	return all
}

// TestAttempts: the first of each kind of copy is tried for all of them, always
// the same one.
func TestAttempts(t *testing.T) {
	var before []string
	for range 2 {
		w := newWorld(t)
		c := config(t, w, smallPlan(t, small))
		require.NoError(t, Run(bounded(t), c))
		all := tries(load(t, c))
		if before != nil {
			assert.Equal(t, before, all)
		}
		before = all
	}
	step := numbered(t, smallPlan(t, small), "as a dry run")
	const others = " for [x-control-002 x-control-003 x-control-004 x-control-005 x-control-006]"
	at := fmt.Sprint(step, " x-control-001 a ")
	assert.Equal(t, []string{
		at + "delete DELETE ?dryRun=All 200" + others, at + "finalizer PATCH ?dryRun=All 200" + others,
		at + "label PATCH ?dryRun=All 200" + others, at + "self PUT ?dryRun=All 200" + others,
		at + "status PUT ?dryRun=All 200" + others,
	}, before[:5])
}

// TestAttemptsFail: what a replica cannot serve cannot be sent back, and a
// conflict is no answer; whatever comes is recorded, and the run goes on.
func TestAttemptsFail(t *testing.T) {
	w := newWorld(t)
	p := smallPlan(t, small)
	c := config(t, w, p)
	first, conflicts := numbered(t, p, "as a dry run"), 0
	var mu sync.Mutex
	trying := false
	w.onStep = func(n int) {
		mu.Lock()
		defer mu.Unlock()
		trying = n == first-1
	}
	var finalizers []any
	w.serve = func(place string, rw http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case !trying || !strings.Contains(r.URL.Path, "x-control-001"):
			return false
		case place == "a-1" && r.Method == "GET":
			reply(rw, 500, status(500, "InternalError", "unable to decode"))
		case place == "b-1" && r.Method == "GET":
			reply(rw, 200, map[string]any{"metadata": map[string]any{"name": "x-control-001", "finalizers": []string{"f"}}})
		case strings.HasSuffix(r.URL.Path, "/status") && conflicts < 2:
			conflicts++
			reply(rw, 409, status(409, "Conflict", "changed"))
		case r.Method == "PATCH":
			var body struct{ Metadata struct{ Finalizers []any } }
			assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
			if body.Metadata.Finalizers != nil {
				finalizers = body.Metadata.Finalizers
			}
			reply(rw, 200, map[string]any{})
		default:
			reply(rw, 200, map[string]any{})
		}
		return true
	}
	require.NoError(t, Run(bounded(t), c))
	var got []string
	for _, o := range load(t, c).Operations {
		if o.Purpose == history.Try && o.Step == first {
			got = append(got, fmt.Sprint(o.Replica, " ", o.Attempt, " ", o.Turn, " ", o.Exchange.Method, " ", o.Exchange.Code))
		}
	}
	assert.Equal(t, []string{
		"a label 0 PATCH 200", "a finalizer 0 GET 500", "a self 0 GET 500", "a status 0 GET 500", "a delete 0 DELETE 200",
		"b label 0 PATCH 200", "b finalizer 0 PATCH 200", "b self 0 PUT 200", "b status 0 PUT 409", "b status 1 PUT 409",
		"b status 2 PUT 200", "b delete 0 DELETE 200",
	}, got)
	assert.Equal(t, []any{"f", attemptName}, finalizers)
}
