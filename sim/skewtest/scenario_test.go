package skewtest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

func gadget(size any) map[string]any {
	return map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "spec": map[string]any{"size": size}}
}

func myField() *ScenarioSpec {
	s := Scenario("my-field").About("A new field.").NewGate("MyField", true)
	s.Object("gadget", Treated(gadget(2)), Bystander([]byte("apiVersion: example.dev/v1\nkind: Gadget\n")), Since(">= 1.1"))
	s.Create("gadget", NewTyped, ViaNew)
	s.Touch("gadget").Clients(OldTyped, Dynamic).Verbs("put", "merge-patch").AtEveryStage()
	s.Patch("gadget", "json-patch", []any{map[string]any{"op": "remove", "path": "/spec/size"}}, At("new")).
		Names(".spec.size").
		Then(func(then *Lines) { then.Get("gadget") })
	s.Expect(Impact("nothing-lost", "unknown-field").At(".spec.size").Because("the old client lacks it"))
	return s
}

const myFieldYAML = `
about: A new field.
new: {featureGates: {MyField: true}}
objects:
  gadget: {treated: objects/gadget-treated.yaml, bystander: objects/gadget-bystander.yaml, since: ">= 1.1"}
play:
- {create: gadget, client: new-typed, via: new}
- {touch: gadget, client: [old-typed, dynamic], verb: [put, merge-patch], at: every}
- patch: gadget
  type: json-patch
  body: [{op: remove, path: /spec/size}]
  at: new
  names: .spec.size
  then: [{get: gadget}]
expect:
- {check: nothing-lost, class: impact, cause: unknown-field, path: .spec.size, why: the old client lacks it}
`

// TestFillsTheModel: a scenario in Go and the same scenario as a file are the same model,
// except for positions in the file.
func TestFillsTheModel(t *testing.T) {
	got, err := myField().load("")
	require.NoError(t, err)
	files, err := myField().files("")
	require.NoError(t, err)
	files["my-field.yaml"].Data = []byte(myFieldYAML)
	want, err := load.FS(files, "my-field.yaml")
	require.NoError(t, err)
	for _, s := range []*scenarios.Scenario{got, want} {
		s.Lines = nil
		for i := range s.Expect {
			s.Expect[i].Line = 0
		}
		for name, m := range s.Manifests {
			m.Root = nil
			s.Manifests[name] = m
		}
	}
	assert.Equal(t, want, got)
}

// TestTypedObjects: fields that Go types always encode are not sent.
func TestTypedObjects(t *testing.T) {
	typed := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Thing"}, ObjectMeta: metav1.ObjectMeta{Name: "x"}}
	text, err := objectText(typed)
	require.NoError(t, err)
	assert.JSONEq(t, `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x"}}`, string(text))
}

// TestWhatIsWrong: all errors are reported at once, and no others.
func TestWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		scenario *ScenarioSpec
		path     string // of the problem in the file
	}{
		"right": {myField(), ""},
		"an unknown client": {func() *ScenarioSpec {
			s := myField()
			s.Touch("gadget", Client("old-tped"))
			return s
		}(), "play[3].client"},
		"an unknown object": {func() *ScenarioSpec {
			s := myField()
			s.Get("gizmo")
			return s
		}(), "play[3].get"},
		"an unknown check": {myField().Expect(Impact("nothing-is-lost")), "expect[1].check"},
		"a bad name":       {myField().Edit(func(s *scenarios.Scenario) { s.Name = "My Field" }), "name"},
	} {
		_, err := c.scenario.load("")
		if c.path == "" {
			assert.NoError(t, err, name)
			continue
		}
		assert.ErrorContains(t, err, c.path, name)
	}
	for name, object := range map[string]any{
		"nil": nil, "a number": 7, "a file that does not exist": "no-such-file.yaml", "text": "{a: b}",
		"no kind": &metav1.PartialObjectMetadata{},
	} {
		_, err := Scenario("x").Object("o", Treated(object)).load("")
		assert.ErrorContains(t, err, `object "o"`, name)
	}
}

// TestNothingIsExpected: a scenario without expectations fails with every finding.
func TestNothingIsExpected(t *testing.T) {
	s := Scenario("quiet").Object("gadget", Bystander(gadget(1)))
	s.Create("gadget")
	loaded, err := s.load("")
	require.NoError(t, err)
	assert.False(t, loaded.LacksExpect())
	assert.Equal(t, []term.Client{term.Dynamic}, loaded.Play[0].Client, "defaults are those of a file")
}
