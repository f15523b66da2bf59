package observe

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// listing reads the LISTs of a small plan.
func listing(t testing.TB) *Lists {
	t.Helper()
	p := runtest.SmallPlan(t, runtest.Small)
	_, h := runtest.Writing(t, p)
	k := fleet.NewKnown(p)
	return NewLists(k, NewRecorder(k, h))
}

// itemsOf are the items of a LIST that is read.
func itemsOf(ls *Lists, body string, served history.Resource) ([]history.Item, error) {
	got, err := ls.page([]byte(body), term.Old, served)
	return got.Items, err
}

// TestItems: the run's own copies, each as a GET would serve it.
func TestItems(t *testing.T) {
	ls := listing(t)
	served := history.Resource{APIVersion: "example.dev/v1", Kind: "Gadget"}
	items, err := itemsOf(ls, `{"kind":"GadgetList","items":[
		{"metadata":{"name":"x-treated-001","resourceVersion":"12"},"spec":{"big":9007199254740993}},
		{"metadata":{"name":"a stranger","resourceVersion":"13"}},
		{"metadata":{"name":"x-bystander-001","resourceVersion":"odd"},"kind":"Gadget","apiVersion":"example.dev/v1"}]}`, served)
	require.NoError(t, err)
	got := `{"kind":"Gadget","apiVersion":"example.dev/v1","spec":{"big":9007199254740993},"metadata":{"resourceVersion":"12","name":"x-treated-001"}}`
	byGet, err := ls.recorder.History.Body([]byte(got))
	require.NoError(t, err)
	require.Len(t, items, 2)
	assert.Equal(t, history.Item{Copy: "x-treated-001", Answer: byGet, Revision: 12}, items[0])
	assert.Equal(t, "x-bystander-001", items[1].Copy)
	assert.Zero(t, items[1].Revision)
}

// TestItemsByVersion: an item's bytes say nothing of the version that they are
// listed in, so equal bytes of two versions are two objects.
func TestItemsByVersion(t *testing.T) {
	ls := listing(t)
	body := `{"items":[{"metadata":{"name":"x-treated-001"}}]}`
	for _, version := range []string{"example.dev/v1", "example.dev/v2", "example.dev/v1"} {
		items, err := itemsOf(ls, body, history.Resource{APIVersion: version, Kind: "Gadget"})
		require.NoError(t, err)
		if version != "example.dev/v1" {
			assert.Empty(t, items, "a copy is looked for in the version it was made in")
			continue
		}
		want, err := ls.recorder.History.Body([]byte(`{"apiVersion":"` + version + `","kind":"Gadget","metadata":{"name":"x-treated-001"}}`))
		require.NoError(t, err)
		assert.Equal(t, want, items[0].Answer, version)
	}
}

func TestItemsOfOtherShapes(t *testing.T) {
	ls := listing(t)
	for _, body := range []string{`{}`, `{"items":null}`, `{"items":[]}`} {
		items, err := itemsOf(ls, body, history.Resource{Kind: "Gadget"})
		require.NoError(t, err, body)
		assert.Empty(t, items, body)
	}
	for _, body := range []string{``, `[]`, `{"items":5}`, `{"items":[5]}`, `{"items":[null]}`, `{"items":[{}]}`, `{"items":[{"metadata":5}]}`} {
		_, err := itemsOf(ls, body, history.Resource{Kind: "Gadget"})
		assert.Error(t, err, body)
	}
	items, err := itemsOf(ls, `{"items":[{"metadata":{"name":"x-treated-001"}}]}`, history.Resource{Kind: "Other"})
	require.NoError(t, err)
	assert.Empty(t, items, "another kind's object may bear the name")
}

// TestPagesAreReadOnce: the same items in the same bytes are the same listing,
// and are not read again.
func TestPagesAreReadOnce(t *testing.T) {
	ls := listing(t)
	const items = `[{"metadata":{"name":"x-treated-001","resourceVersion":"3"}}]`
	for _, head := range []string{`"resourceVersion":"5"`, `"resourceVersion":"6","continue":"x"`} {
		got, err := ls.page([]byte(`{"metadata":{`+head+`},"items":`+items+`}`), term.Old, runtest.Gadget)
		require.NoError(t, err)
		assert.Len(t, got.Items, 1)
		assert.Equal(t, 1, got.all)
		assert.Equal(t, strings.Contains(head, "continue"), got.Next != "")
	}
	n := 0
	ls.pages.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, 1, n)
}

func BenchmarkPage(b *testing.B) {
	var items []string
	for i := range 700 {
		items = append(items, fmt.Sprintf(`{"metadata":{"name":"x-treated-%03d","resourceVersion":"3"},"spec":{"x":%q}}`, i, strings.Repeat("x", 2500)))
	}
	body := []byte(`{"metadata":{"resourceVersion":"5"},"items":[` + strings.Join(items, ",") + `]}`)
	ls := listing(b)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := ls.page(body, term.Old, runtest.Gadget); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCutList: only what stands before the LIST's own items is its head.
func TestCutList(t *testing.T) {
	for _, body := range []string{
		`{"kind":"L","metadata":{"resourceVersion":"5","continue":"x"},"items":[{"a":1},{"a":[2],"kind":"b"}]}`,
		`{"apiVersion":"v1","items":[{"a":1},{"a":[2],"kind":"b"}],"kind":"L","metadata":{"continue":"x","resourceVersion":"5"}}` + "\n",
	} {
		head, array := cutList([]byte(body))
		require.NotNil(t, head, body)
		assert.Equal(t, "5 x", head.Metadata.ResourceVersion+" "+head.Metadata.Continue)
		assert.Equal(t, `[{"a":1},{"a":[2],"kind":"b"}]`, string(array))
	}
	for _, body := range []string{
		``, `{}`, `{"items":[]}`, `{"items":[{"a":{},"items":[1]}]}`, `{"a":{"b":1,"items":[2]},"items":[]}`, `{"a":"b\",\"items\":[`,
		`{"a":"b","items":[{"a":[1],"kind":"b"}],"z":{}}`, `{"a":"b","items":[],"kind":"`, `{"a":"b","items":[1]`[:13],
	} {
		head, _ := cutList([]byte(body))
		assert.Nil(t, head, body)
	}
	// Metadata that comes after the items, first or not, is read each time.
	ls := listing(t)
	for _, revision := range []int64{5, 6} {
		got, err := ls.page(fmt.Appendf(nil, `{"kind":"L","items":[],"metadata":{"resourceVersion":"%d"}}`, revision), term.Old, runtest.Gadget)
		require.NoError(t, err)
		assert.Equal(t, revision, got.revision)
	}
}

// TestCutItems: whatever an item contains, it ends where a JSON parser says so; and what is no list of items that ends
// its object is not cut.
func TestCutItems(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{`[]`, nil},
		{`[{"a":1}]`, []string{`{"a":1}`}},
		{`[{"a":"]},{\"\\"} , {"b":[[1,2],{"c":"\\"}]} ]`, []string{`{"a":"]},{\"\\"}`, `{"b":[[1,2],{"c":"\\"}]}`}},
		{`[null, 5]`, []string{`null`, `5`}},
	} {
		all, whole := cutItems([]byte(c.text))
		require.True(t, whole, c.text)
		var got []string
		for _, one := range all {
			got = append(got, string(one))
		}
		assert.Equal(t, c.want, got, c.text)
	}
	for _, text := range []string{``, `[`, `[{"a":1}`, `[{"a":1}]}`, `[{"a":1}],"metadata":{}`, `[{"a":1},]`, `[,{"a":1}]`, `[{"a":"]`} {
		_, whole := cutItems([]byte(text))
		assert.False(t, whole, text)
	}
}

// TestItemIsTheGet: an item and the answer to a GET of the same object are decoded once, whichever came first; an
// item of another kind with the same bytes is another object.
func TestItemIsTheGet(t *testing.T) {
	ls := listing(t)
	served := history.Resource{APIVersion: "example.dev/v1", Kind: "Gadget"}
	get := `{"kind":"Gadget","apiVersion":"example.dev/v1","metadata":{"name":"x-treated-001","resourceVersion":"12"}}` + "\n"
	first, err := ls.recorder.Observe([]byte(get))
	require.NoError(t, err)
	known, seen := ls.recorder.seen.Load(itemAs([]byte(`{"metadata":{"name":"x-treated-001","resourceVersion":"12"}}`), served))
	require.True(t, seen)
	assert.Equal(t, first, known)
	_, seen = ls.recorder.seen.Load(itemAs([]byte(`{"metadata":{"name":"x-treated-001","resourceVersion":"12"}}`), history.Resource{APIVersion: "example.dev/v1", Kind: "Other"}))
	assert.False(t, seen)
	// A custom resource has its type in a LIST too.
	custom := `{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":"x-treated-001","resourceVersion":"13"}}`
	obs, err := ls.recorder.Item([]byte(custom), served, ls.known.Ours(term.Old))
	require.NoError(t, err)
	known, seen = ls.recorder.seen.Load(seenAs{sum: sha256.Sum256([]byte(custom))})
	require.True(t, seen)
	assert.Equal(t, obs, known)
}
