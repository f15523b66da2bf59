package observe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
	"github.com/skewsim/skewsim/sim/schema"
)

// standing is a recorder of a small plan that has not begun.
func standing(t testing.TB) *Recorder {
	t.Helper()
	p := runtest.SmallPlan(t, runtest.Small)
	_, h := runtest.Writing(t, p)
	return NewRecorder(fleet.NewKnown(p), h)
}

// TestLikeness: in what copies may differ and still be alike, and in what not.
func TestLikeness(t *testing.T) {
	rec := standing(t)
	const plain = `{"kind":"Gadget","metadata":{"name":%q,"uid":"u-%[1]s","resourceVersion":"1","labels":{"skewsim.dev/touch":"untouched"},
		"managedFields":[{"manager":"m","apiVersion":"v1","time":"t1"},{"manager":"l","apiVersion":"v2","time":"t2"}]},"spec":{"size":1,"self":"ref/%[1]s"}}`
	of := func(name, text string) likeness {
		object, err := DecodeObject([]byte(text))
		require.NoError(t, err)
		return rec.likeness(name, object)
	}
	a, b := fmt.Sprintf(plain, "x-treated-001"), fmt.Sprintf(plain, "x-untouched-001")
	want := of("x-treated-001", a)
	assert.Equal(t, want, of("x-untouched-001", b), "the name and the uid, wherever they stand")
	for change, alike := range map[[2]string]bool{
		{`"resourceVersion":"1"`, `"resourceVersion":"2","generation":4,"creationTimestamp":"now"`}: true,
		{`untouched"}`, `step-17"}`}:                               true,
		{`"time":"t1"`, `"time":"t2"`}:                             true,
		{`"manager":"m"`, `"fieldsV1":{},"manager":"n"`}:           true, // attempts do not apply
		{`{"manager":"m",`, `{"apiVersion":"v2"},{"manager":"m",`}: true,
		{`"apiVersion":"v1"`, `"apiVersion":"v2"`}:                 false, // of an owner: servers convert it
		{`"size":1`, `"size":2`}:                                   false,
		{`"size":1,`, ``}:                                          false,
		{`"kind":"Gadget"`, `"kind":"Other"`}:                      false,
		{`"uid"`, `"deletionTimestamp":1,"uid"`}:                   false,
		{`"ref/`, `"reference/`}:                                   false,
	} {
		changed := strings.Replace(b, change[0], change[1], 1)
		require.NotEqual(t, b, changed, change)
		assert.Equal(t, alike, want == of("x-untouched-001", changed), change)
	}
	first := of("x-treated-001", strings.Replace(a, `"uid"`, `"deletionTimestamp":1,"uid"`, 1))
	assert.Equal(t, first, of("x-untouched-001", strings.Replace(b, `"uid"`, `"deletionTimestamp":2,"uid"`, 1)))
}

// TestLikenessOfMarks: the marks of a copy's own steps do not distinguish it; other marks
// do.
func TestLikenessOfMarks(t *testing.T) {
	rec := standing(t)
	rec.acts["x-treated-001"] = []plan.Step{{Number: 17, Change: &plan.Change{Kind: plan.Scale, Names: []string{".spec.replicas"}}}}
	rec.acts["x-treated-002"] = []plan.Step{{Number: 4, Change: &plan.Change{Kind: plan.Scale, Names: []string{".spec.replicas"}}}}
	of := func(name string, replicas int, message string) likeness {
		object, err := DecodeObject(fmt.Appendf(nil, `{"metadata":{"name":%q},"spec":{"replicas":%d},"status":{"message":%q}}`, name, replicas, message))
		require.NoError(t, err)
		return rec.likeness(name, object)
	}
	want := of("x-treated-001", 17, "step-17")
	assert.Equal(t, want, of("x-treated-002", 4, "step-4"))
	assert.NotEqual(t, want, of("x-treated-002", 17, "step-4"))
	assert.NotEqual(t, want, of("x-treated-002", 4, "step-17"))
}

// TestLikenessOfTimes: the time at which a server changed a copy does not distinguish it;
// the change does, and so does a text that only looks like a time.
func TestLikenessOfTimes(t *testing.T) {
	const document = `{"components":{"schemas":{
		"dev.example.v1.Gadget":{"type":"object","x-kubernetes-group-version-kind":[{"group":"example.dev","version":"v1","kind":"Gadget"}],
			"properties":{"status":{"type":"object","properties":{"note":{"type":"string"},
				"moved":{"allOf":[{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}]}}}}},
		"io.k8s.apimachinery.pkg.apis.meta.v1.Time":{"type":"string","format":"date-time"}}}}`
	rec := standing(t)
	published, err := schema.Parse([][]byte{[]byte(document)})
	require.NoError(t, err)
	rec.known.ByRole[term.Old] = fleet.Release{Schema: published}
	of := func(status string) likeness {
		object, err := DecodeObject([]byte(`{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":"x"},"status":` + status + `}`))
		require.NoError(t, err)
		return rec.likeness("x", object)
	}
	const second, next = `"2026-01-01T00:00:00Z"`, `"2026-01-01T00:00:01Z"`
	want := of(`{"moved":` + second + `,"note":` + second + `}`)
	assert.Equal(t, want, of(`{"moved":`+next+`,"note":`+second+`}`))
	assert.NotEqual(t, want, of(`{"moved":`+second+`,"note":`+next+`}`))
	assert.NotEqual(t, want, of(`{"moved":null,"note":`+second+`}`))
	assert.NotEqual(t, want, of(`{"note":`+second+`}`))
}
