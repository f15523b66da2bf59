package run

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestTeller: whatever order steps end in, they are told in the plan's.
func TestTeller(t *testing.T) {
	steps := []plan.Step{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 4}}
	want := []string{"1 o0", "2 o1", "3 o2", "4 o3"}
	for seed := range uint64(50) {
		p := &progress{world: newWorld(t)}
		tell := newTeller(p, steps)
		for i, end := range rand.New(rand.NewPCG(seed, 0)).Perm(len(steps)) {
			tell.tell(end, fmt.Sprintf("o%d", end))
			assert.LessOrEqual(t, len(p.told), i+1)
		}
		assert.Equal(t, want, p.told)
	}
	p := &progress{world: newWorld(t)}
	tell := newTeller(p, steps)
	var all sync.WaitGroup
	for i := range steps {
		all.Go(func() { tell.tell(i, fmt.Sprintf("o%d", i)) })
	}
	all.Wait()
	assert.Equal(t, want, p.told)
}

// TestTellerWaits: what comes after a step that has not ended is not told.
func TestTellerWaits(t *testing.T) {
	p := &progress{world: newWorld(t)}
	tell := newTeller(p, []plan.Step{{Number: 1}, {Number: 2}})
	tell.tell(1, "x")
	assert.Empty(t, p.told)
	tell.tell(0, "y")
	assert.Equal(t, []string{"1 y", "2 x"}, p.told)
}

func TestTogether(t *testing.T) {
	start, replace := plan.Step{Action: plan.Start}, plan.Step{Action: plan.Replace}
	create, put := plan.Step{Action: plan.Operate, Verb: term.Create, Birth: true}, plan.Step{Action: plan.Operate, Verb: term.Put}
	get, observe := plan.Step{Action: plan.Operate, Verb: term.Get}, plan.Step{Action: plan.Observe}
	for _, c := range []struct {
		a, b plan.Step
		want bool
	}{
		{start, start, true},
		{create, create, true},
		{put, get, true},
		{create, put, false}, // the copy must exist
		{put, create, false},
		{replace, replace, false}, // replicas move one at a time
		{observe, observe, false},
		{start, observe, false},
		{observe, create, false},
		{put, observe, false},
	} {
		assert.Equal(t, c.want, overlap(c.a, c.b), "%+v %+v", c.a, c.b)
	}
}

// standing is a walker over a small plan that has not begun.
func standing(t *testing.T) (*walker, Config) {
	w := newWorld(t)
	c := config(t, w, smallPlan(t, small))
	return newWalker(t.Context(), c, nil), c
}

func TestUnknownAction(t *testing.T) {
	w, _ := standing(t)
	_, err := w.step(t.Context(), 0, plan.Step{Number: 4, Action: "dance"})
	assert.EqualError(t, err, `step 4: unknown action "dance"`)
	_, err = w.step(t.Context(), 0, plan.Step{Number: 5, Action: plan.Operate, Verb: term.Get, Copy: "c", Via: "z", ViaRole: "old", Client: "dynamic"})
	assert.EqualError(t, err, "step 5 (get c by dynamic, via z (old)): replica z: not running")
	_, err = w.step(t.Context(), 0, plan.Step{Number: 6, Action: plan.Prepare, Replica: "z"})
	assert.EqualError(t, err, "step 6: replica z: not running")
}

// itemsOf are the items of a LIST that is read.
func itemsOf(w *walker, body string, served history.Resource) ([]history.Item, error) {
	got, err := w.page([]byte(body), term.Old, served)
	return got.items, err
}

// TestItems: the run's own copies, each as a GET would serve it.
func TestItems(t *testing.T) {
	w, c := standing(t)
	served := history.Resource{APIVersion: "example.dev/v1", Kind: "Gadget"}
	items, err := itemsOf(w, `{"kind":"GadgetList","items":[
		{"metadata":{"name":"x-treated-001","resourceVersion":"12"},"spec":{"big":9007199254740993}},
		{"metadata":{"name":"a stranger","resourceVersion":"13"}},
		{"metadata":{"name":"x-bystander-001","resourceVersion":"odd"},"kind":"Gadget","apiVersion":"example.dev/v1"}]}`, served)
	require.NoError(t, err)
	got := `{"kind":"Gadget","apiVersion":"example.dev/v1","spec":{"big":9007199254740993},"metadata":{"resourceVersion":"12","name":"x-treated-001"}}`
	byGet, err := c.History.Body([]byte(got))
	require.NoError(t, err)
	require.Len(t, items, 2)
	assert.Equal(t, history.Item{Copy: "x-treated-001", Answer: byGet, Revision: 12}, items[0])
	assert.Equal(t, "x-bystander-001", items[1].Copy)
	assert.Zero(t, items[1].Revision)
}

// TestItemsByVersion: an item's bytes say nothing of the version that they are
// listed in, so equal bytes of two versions are two objects.
func TestItemsByVersion(t *testing.T) {
	w, c := standing(t)
	body := `{"items":[{"metadata":{"name":"x-treated-001"}}]}`
	for _, version := range []string{"example.dev/v1", "example.dev/v2", "example.dev/v1"} {
		items, err := itemsOf(w, body, history.Resource{APIVersion: version, Kind: "Gadget"})
		require.NoError(t, err)
		if version != "example.dev/v1" {
			assert.Empty(t, items, "a copy is looked for in the version it was made in")
			continue
		}
		want, err := c.History.Body([]byte(`{"apiVersion":"` + version + `","kind":"Gadget","metadata":{"name":"x-treated-001"}}`))
		require.NoError(t, err)
		assert.Equal(t, want, items[0].Answer, version)
	}
}

func TestItemsOfOtherShapes(t *testing.T) {
	w, _ := standing(t)
	for _, body := range []string{`{}`, `{"items":null}`, `{"items":[]}`} {
		items, err := itemsOf(w, body, history.Resource{Kind: "Gadget"})
		require.NoError(t, err, body)
		assert.Empty(t, items, body)
	}
	for _, body := range []string{``, `[]`, `{"items":5}`, `{"items":[5]}`, `{"items":[null]}`, `{"items":[{}]}`, `{"items":[{"metadata":5}]}`} {
		_, err := itemsOf(w, body, history.Resource{Kind: "Gadget"})
		assert.Error(t, err, body)
	}
	items, err := itemsOf(w, `{"items":[{"metadata":{"name":"x-treated-001"}}]}`, history.Resource{Kind: "Other"})
	require.NoError(t, err)
	assert.Empty(t, items, "another kind's object may bear the name")
}

func TestOutcome(t *testing.T) {
	for want, a := range map[string]client.Answer{
		"200":              {Code: 200},
		"201, warning: w1": {Code: 201, Warnings: []string{"w1", "w2"}},
		"no answer: assert.AnError general error for testing": {Err: assert.AnError},
		"404 plain": {Code: 404, Body: []byte("plain")},
	} {
		assert.Equal(t, want, outcome(a))
	}
}

func TestRevisions(t *testing.T) {
	w, _ := standing(t)
	for body, want := range map[string]int64{
		`{"metadata":{"resourceVersion":"17"}}`: 17, `{"metadata":{"resourceVersion":"x"}}`: 0, `{"metadata":{"resourceVersion":17}}`: 0,
		`{"metadata":null}`: 0, `[]`: 0, ``: 0, `{"metadata":{}}`: 0,
	} {
		shown, err := w.answered([]byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, shown.revision, body)
	}
}
