package schema_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/sim/schema"
)

// described is one field of a release with what its description says of gates.
type described struct {
	Field       string              `json:"field"`
	Types       []string            `json:"types"`
	Releases    []string            `json:"releases"`
	Enum        []any               `json:"enum"`
	Gates       []string            `json:"gates"`
	Values      map[string][]string `json:"values"`
	Parts       []string            `json:"parts"`
	Description string              `json:"description"`
}

// check compares what is read from the description.
func (d described) check(t *testing.T) {
	t.Helper()
	s := &spec.Schema{SchemaProps: spec.SchemaProps{Description: d.Description, Enum: d.Enum}}
	values := map[string][]string{}
	for value, guards := range schema.GuardsOfValues(d.Field, s) {
		values[value] = namesOf(guards)
	}
	if d.Values == nil {
		d.Values = map[string][]string{}
	}
	name := d.Field + ": " + d.Description
	assert.Equal(t, d.Gates, namesOf(schema.GuardsOf(d.Field, s)), name)
	assert.Equal(t, d.Values, values, name)
	assert.Equal(t, d.Parts, schema.GatesOfParts(d.Field, s), name)
}

func namesOf(guards []schema.Guard) (names []string) {
	for _, g := range guards {
		names = append(names, g.Gate)
	}
	return names
}

// TestPublishedDescriptions reads every description of five releases that names a gate: it
// gates the field, a value of it, only a member or a use of it, or nothing.
func TestPublishedDescriptions(t *testing.T) {
	raw, err := os.ReadFile("testdata/gates-of-descriptions.yaml")
	require.NoError(t, err)
	var all []described
	require.NoError(t, yaml.Unmarshal(raw, &all))
	require.NotEmpty(t, all)
	for _, d := range all {
		d.check(t)
	}
}

// TestSubjectOfAGate: the same requirement gates a field, a value, or a part, by what the
// sentence is about.
func TestSubjectOfAGate(t *testing.T) {
	gates, shapes := []string{"Shapes"}, []any{"Round", "Square", "Any"}
	value := func(names ...string) map[string][]string {
		all := map[string][]string{}
		for _, name := range names {
			all[name] = gates
		}
		return all
	}
	for _, d := range []described{
		{Description: "shape requires the Shapes feature gate.", Gates: gates},
		{Description: "`shape` requires the Shapes feature gate.", Gates: gates},
		{Description: "Note that this field is behind the Shapes feature gate.", Gates: gates},
		{Description: "It is available only when the Shapes feature gate is enabled.", Gates: gates},
		{Description: "Setting this field requires feature gate Shapes.", Gates: gates},
		{Description: "This field requires the Shapes feature gate to be enabled for this feature.", Gates: gates},
		{Description: "Using the corner of this field requires the Shapes feature gate.", Parts: gates},
		{Description: "More than one corner requires the Shapes feature gate.", Parts: gates},
		{Description: "For jobs this field requires the Shapes feature gate.", Parts: gates},
		{Description: "This field requires the Shapes feature gate when the size is set.", Parts: gates},
		{Description: "The Shapes feature gate must be enabled to use corners.", Parts: gates},
		{Description: "This field does not require the Shapes feature gate.", Parts: gates},
		{Description: "No other than \"Round\" requires the Shapes feature gate.", Parts: gates},
		{Description: "This field is available only when the Shapes feature gate is disabled."},
		{Description: "This field has no effect when the Shapes feature gate is enabled."},
		{Description: "Setting this field to \"Square\" requires the Shapes feature gate.", Values: value("Square"), Parts: gates},
		{Description: "Square and Any require the Shapes feature gate.", Values: value("Any", "Square"), Parts: gates},
		{Description: "A shape other than Round requires the Shapes feature gate.", Values: value("Any", "Square"), Parts: gates},
		{Description: "This field requires the Shapes feature gate if it is `Square`.", Values: value("Square"), Parts: gates},
		{Description: "It may be less than 5. It is allowed to be 0 only if the Shapes feature gate is enabled.", Values: value("0"), Parts: gates},
		{Description: "How.\n\nPossible enum values:\n - `\"Round\"` is old.\n - `\"Square\"` is new; it requires the Shapes feature gate.", Values: value("Square"), Parts: gates},
		{Description: "How.\n\nPossible enum values:\n - `\"Round\"` is old.\n - `\"Square\"` is new. More than one requires the Shapes feature gate.", Parts: gates},
	} {
		d.Field, d.Enum = "shape", shapes
		d.check(t)
	}
}
