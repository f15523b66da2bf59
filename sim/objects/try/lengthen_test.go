package try

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// lengthened passes a specimen to lengthen, on a server that accepts the specs that accepts names,
// and returns the specimen and the number of objects that were sent.
func lengthened(t *testing.T, s Specimen, accepts func(spec map[string]any) bool) (Specimen, int) {
	t.Helper()
	sent := 0
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent++
		var object map[string]any
		_ = json.NewDecoder(r.Body).Decode(&object)
		if spec, _ := object["spec"].(map[string]any); !accepts(spec) {
			answer(w, 422, map[string]any{"kind": "Status", "code": 422, "message": "no"})
			return
		}
		answer(w, 201, object)
	}))
	t.Cleanup(fake.Close)
	conn, err := client.Connect(client.Endpoint{URL: fake.URL})
	require.NoError(t, err)
	e := newExerciser(Config{Namespace: "here", Server: NewServer(conn, nil)})
	k := &kind{Resource: published.Resource{APIVersion: "example.dev/v1", Kind: "Widget", Plural: "widgets", Namespaced: true}}
	if s.Twice {
		require.NoError(t, repeat(t.Context(), e, k, &s))
		return s, sent
	}
	require.NoError(t, e.lengthen(t.Context(), k, &s))
	return s, sent
}

// specimenWith returns a specimen whose object holds a value at .spec.held.
func specimenWith(value any) Specimen {
	return Specimen{Held: ".spec.held", Answered: value, Object: map[string]any{
		"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": map[string]any{"name": "w"}, "spec": map[string]any{"held": value},
	}}
}

func anySpec(map[string]any) bool { return true }

// TestLengthen: a list of one element gets a second one with other texts, so that a server that
// has room for one alone loses it.
func TestLengthen(t *testing.T) {
	for name, c := range map[string]struct{ one, two any }{
		"texts":   {"a", "a2"},
		"numbers": {int64(4), int64(5)},
		"objects": {
			map[string]any{"name": "a", "kind": "Part", "apiVersion": "v1", "protocol": "TCP", "weight": int64(100)},
			map[string]any{"name": "a2", "kind": "Part", "apiVersion": "v1", "protocol": "TCP", "weight": int64(100)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := specimenWith([]any{c.one})
			s, sent := lengthened(t, before, anySpec)
			assert.Equal(t, []any{c.one, c.two}, s.Answered)
			assert.Equal(t, map[string]any{"held": []any{c.one, c.two}}, s.Object["spec"])
			assert.Equal(t, map[string]any{"held": []any{c.one}}, before.Object["spec"], "the object before is left alone")
			assert.Equal(t, 1, sent)
		})
	}
}

// TestLengthenShares: if the numbers of a list must have a fixed sum, both elements get half.
func TestLengthenShares(t *testing.T) {
	whole := func(spec map[string]any) bool {
		var sum float64
		for _, part := range spec["held"].([]any) {
			sum += part.(map[string]any)["weight"].(float64)
		}
		return sum == 100
	}
	s, sent := lengthened(t, specimenWith([]any{map[string]any{"name": "a", "weight": int64(100)}}), whole)
	assert.Equal(t, []any{map[string]any{"name": "a", "weight": int64(50)}, map[string]any{"name": "a2", "weight": int64(50)}}, s.Answered)
	assert.Equal(t, 2, sent)
}

// TestLengthenRefused: a list that the server wants as it is stays so.
func TestLengthenRefused(t *testing.T) {
	before := specimenWith([]any{"a"})
	s, sent := lengthened(t, before, func(spec map[string]any) bool { return len(spec["held"].([]any)) < 2 })
	assert.Equal(t, before, s)
	assert.Equal(t, 2, sent)
}

// TestLengthenCut: a list that the server accepts and cuts to one element stays so.
func TestLengthenCut(t *testing.T) {
	before := specimenWith([]any{"a"})
	s, _ := lengthened(t, before, func(spec map[string]any) bool {
		spec["held"] = spec["held"].([]any)[:1]
		return true
	})
	assert.Equal(t, before, s)
}

// TestNotLengthened: nothing is sent for what has no list of one element, or where another element
// would change what the target asks for.
func TestNotLengthened(t *testing.T) {
	given, status, whole, none := specimenWith([]any{"a"}), specimenWith([]any{"a"}), specimenWith([]any{"a"}), specimenWith([]any{"a"})
	given.Value, status.Subresource, whole.Held, none.Object = []any{"a"}, "status", "", nil
	for name, before := range map[string]Specimen{
		"no list": specimenWith("a"), "two elements": specimenWith([]any{"a", "b"}), "no element": specimenWith([]any{}),
		"a value that the target names": given, "through a subresource": status, "the whole object": whole, "no object": none,
	} {
		s, sent := lengthened(t, before, anySpec)
		assert.Equal(t, before, s, name)
		assert.Zero(t, sent, name)
	}
}

// TestRepeated: a list has its first element twice, or is no specimen where the server refuses that.
func TestRepeated(t *testing.T) {
	before := specimenWith([]any{"a", "b"})
	before.Twice = true
	s, _ := lengthened(t, before, anySpec)
	assert.Equal(t, []any{"a", "a"}, s.Answered)
	s, _ = lengthened(t, before, func(map[string]any) bool { return false })
	assert.Nil(t, s.Object)
	assert.NotEmpty(t, s.Reason)
	empty := specimenWith([]any{})
	empty.Twice = true
	s, sent := lengthened(t, empty, anySpec)
	assert.Nil(t, s.Object)
	assert.Zero(t, sent)
	part := before
	part.Subresource = "resize"
	s, sent = lengthened(t, part, anySpec)
	assert.Nil(t, s.Object, "else it is the object of the target that is not twice")
	assert.Zero(t, sent)
}

// TestPairs: two elements differ in the given members alone, which an element may lack.
func TestPairs(t *testing.T) {
	list := []any{map[string]any{"name": "a"}}
	assert.Equal(t, [][]any{{list[0], list[0]}}, pairs(list, nil, nil))
	assert.Equal(t, []any{map[string]any{"name": "a", "id": "sample"}, map[string]any{"name": "a2", "id": "sample"}}, pairs(list, []string{"name"}, []string{"id"})[0])
	assert.Equal(t, []any{map[string]any{"name": "a", "port": int64(1)}, map[string]any{"name": "a", "port": int64(2)}}, pairs(list, []string{"port"}, []string{"name"})[1])
	assert.Empty(t, pairs(nil, nil, nil))
}
