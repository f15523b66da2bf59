package fuzz

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/schema"
)

// gadgetOpenAPI is a document that publishes a kind with every sort of member.
func gadgetOpenAPI(t testing.TB) []byte {
	t.Helper()
	document, err := os.ReadFile("../objects/testdata/gadget.json")
	require.NoError(t, err)
	return document
}

func published(t testing.TB) *schema.Schema {
	t.Helper()
	s, err := schema.Parse([][]byte{gadgetOpenAPI(t)})
	require.NoError(t, err)
	return s
}

func leavesOf(t testing.TB, text string) schema.Leaves {
	t.Helper()
	var object map[string]any
	require.NoError(t, utiljson.Unmarshal([]byte(text), &object))
	k, ok := published(t).Kind("example.dev/v1", "Gadget")
	require.True(t, ok)
	return k.Leaves(object)
}

// TestDifferences: each defect, and a similar case without one.
func TestDifferences(t *testing.T) {
	for name, c := range map[string]struct {
		was, now string
		want     []string
	}{
		"lost":               {`{"spec":{"size":5,"mode":"Fast"}}`, `{"spec":{"size":5}}`, []string{".spec.mode lost"}},
		"a default is added": {`{"spec":{"size":5}}`, `{"spec":{"size":5,"mode":"Fast"}}`, nil},
		"changed":            {`{"spec":{"size":5}}`, `{"spec":{"size":6}}`, []string{".spec.size changed"}},
		"another amount":     {`{"spec":{"limits":{"a":"1000m"}}}`, `{"spec":{"limits":{"a":"1001m"}}}`, []string{".spec.limits.a changed"}},
		"the same amount":    {`{"spec":{"limits":{"a":"1000m"}}}`, `{"spec":{"limits":{"a":"1"}}}`, nil},
		"another time":       {`{"spec":{"since":"2020-01-01T00:00:00Z"}}`, `{"spec":{"since":"2020-01-01T00:00:01Z"}}`, []string{".spec.since changed"}},
		"the same time":      {`{"spec":{"since":"2020-01-01T01:00:00+01:00"}}`, `{"spec":{"since":"2020-01-01T00:00:00Z"}}`, nil},
		"a zero is lost":     {`{"spec":{"step":0}}`, `{"spec":{}}`, []string{".spec.step lost"}},
		"nothing is lost":    {`{"spec":{"limits":{},"tags":[]}}`, `{"spec":{"limits":null}}`, nil},
		"a port is lost":     {`{"spec":{"ports":[{"number":1},{"number":2}]}}`, `{"spec":{"ports":[{"number":2}]}}`, []string{`.spec.ports[number=1,protocol="tcp"].number lost`}},
		"ports are sorted":   {`{"spec":{"ports":[{"number":1},{"number":2}]}}`, `{"spec":{"ports":[{"number":2},{"number":1}]}}`, nil},
		"a label":            {`{"metadata":{"labels":{"a":"x"}}}`, `{"metadata":{"labels":{"a":"y"}}}`, []string{".metadata.labels.a changed"}},
		"the server's own":   {`{"metadata":{"resourceVersion":"1","managedFields":[{"manager":"a"}]}}`, `{"metadata":{"resourceVersion":"2"}}`, nil},
	} {
		var got []string
		for _, d := range differences(leavesOf(t, c.was), leavesOf(t, c.now)) {
			got = append(got, d.PathText()+" "+string(d.Outcome))
		}
		assert.Equal(t, c.want, got, name)
	}
	sent := leavesOf(t, `{"spec":{"size":5,"mode":"Fast"}}`)
	assert.Len(t, NotAccepted(sent, leavesOf(t, `{"spec":{"size":5}}`)), 1)
	assert.Empty(t, NotAccepted(sent, leavesOf(t, `{"spec":{"size":6,"mode":"Slow"}}`)), "normalised is not dropped")
}

// TestKnows: what a release publishes of a kind, in the given version or in another.
func TestKnows(t *testing.T) {
	r := &Release{Schema: published(t), Served: []client.Discovered{{APIVersion: "example.dev/v1", Kind: "Gadget"}}}
	for text, want := range map[string]bool{`{"spec":{"size":5}}`: true, `{"spec":{"other":5}}`: false} {
		for _, leaf := range leavesOf(t, text) {
			assert.Equal(t, want, knows(r, "Gadget", "example.dev/v1", "Gadget.example.dev", leaf.Path), text)
			assert.Equal(t, want, knows(r, "Gadget", "example.dev/v2", "Gadget.example.dev", leaf.Path), "of a version that it does not serve: "+text)
		}
	}
}

// gadgetOf is a release that publishes a kind, and these members of its spec beside a size.
func gadgetOf(t *testing.T, version, members string) *Release {
	t.Helper()
	text := `{"openapi":"3.0.0","info":{"title":"t","version":"v1"},"paths":{},"components":{"schemas":{"x.Gadget":{"type":"object",
		"x-kubernetes-group-version-kind":[{"group":"example.dev","version":"` + version + `","kind":"Gadget"}],
		"properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"}` + members + `}}}}}}}`
	s, err := schema.Parse([][]byte{[]byte(text)})
	require.NoError(t, err)
	return &Release{Schema: s}
}

// TestWhatGoes: the new release has to keep what the old one accepted, unless it was
// published as removable; the old one need not keep what is new.
func TestWhatGoes(t *testing.T) {
	leaf := leavesOf(t, `{"spec":{"glow":5}}`)[".spec.glow"]
	for name, c := range map[string]struct {
		says    string // of the release that has the field
		version string
		origin  term.Role
		class   term.Class
		by      term.Rule
		stage   string // of the gate Glow, which the field's description names; "": it names none
	}{
		"stable":          {``, "v1", term.Old, term.Violation, term.Rule2, ""},
		"beta":            {`"status":"beta","featureGate":"Glow"`, "v1", term.Old, term.Violation, term.Rule2, ""},
		"gated alpha":     {`"status":"alpha","featureGate":"Glow"`, "v1", term.Old, term.Impact, term.RuleLifecycle, ""},
		"alpha, no gate":  {`"status":"alpha"`, "v1", term.Old, term.Violation, term.Rule2, ""},
		"deprecated":      {`"status":"deprecated"`, "v1", term.Old, term.Impact, term.RuleLifecycle, ""},
		"alpha version":   {``, "v1alpha1", term.Old, term.Impact, term.RuleLifecycle, ""},
		"new, stable":     {``, "v1", term.New, term.Impact, term.Rule6, ""},
		"new, deprecated": {`"status":"deprecated"`, "v1", term.New, term.Impact, term.Rule6, ""},
		"alpha gate":      {``, "v1", term.Old, term.Impact, term.RuleLifecycle, "ALPHA"},
		"beta gate":       {``, "v1", term.Old, term.Violation, term.Rule2, "BETA"},
	} {
		extension := ""
		if c.says != "" {
			extension = `,"x-kubernetes-api-lifecycle":{"gadgets":{` + c.says + `}}`
		}
		if c.stage != "" {
			extension = `,"description":"Requires enabling the Glow feature gate."`
		}
		other := map[term.Role]term.Role{term.Old: term.New, term.New: term.Old}[c.origin]
		at := func(role term.Role) Place {
			return Place{role, client.Discovered{APIVersion: "example.dev/" + c.version, Kind: "Gadget"}}
		}
		has := gadgetOf(t, c.version, `,"glow":{"type":"integer"`+extension+`}`)
		has.Features = []client.Feature{{Name: "Glow", Stage: c.stage, On: true}}
		tr := &Traveller{Trip: Trip{Kind: "Gadget.example.dev", Origin: at(c.origin), Releases: map[term.Role]*Release{c.origin: has, other: gadgetOf(t, c.version, "")}}}
		r := tr.value(at(other), leaf.Path).Absent(other, true)
		assert.Equal(t, []any{term.Lost, term.UnknownField, c.class, c.by}, []any{r.Outcome, r.Cause, r.Class, r.Rule}, name)
		r = tr.value(at(c.origin), leaf.Path).Absent(c.origin, false)
		assert.Equal(t, []any{term.Hidden, term.Unattributed, term.Violation}, []any{r.Outcome, r.Cause, r.Class}, "%s: through who publishes it", name)
		// Only a field that the release need not have excuses a refusal.
		made := &Copy{"a", schema.Leaves{".spec.glow": leaf}}
		refused := tr.refused(made, at(other), term.CheckStaysWritable, term.Frozen, client.Answer{Code: 422})
		assert.Equal(t, c.class, refused.Class, "%s: refused", name)
	}
}

func TestChecks(t *testing.T) {
	at := func(role term.Role, version string) Place { return Place{role, client.Discovered{APIVersion: version}} }
	origin := at(term.Old, "g/v1")
	assert.Equal(t, term.CheckRule4, checkOf(origin, at(term.Old, "g/v2")))
	assert.Equal(t, term.CheckNothingLost, checkOf(origin, at(term.New, "g/v2")))
	assert.Equal(t, term.CheckNothingLost, checkOf(origin, at(term.Old, "g/v1")))
}

// TestVerdict: a violation fails a run, an impact does not, and a run in which too little
// was accepted cannot pass. TestTextOfCleared: values that a server did not keep get a line
// for each kind, and effects of the other release a line each.
