package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// The ledger says how the lists of its copies' kinds are read, and of no others.
func TestListKeys(t *testing.T) {
	s := mixed(t)
	definitions := published(term.New)
	definitions["dev.example.v1.Gizmo"] = kindOf("example.dev", "v1", "Gizmo", object{"spec": widgetSpec(term.New)})
	s.schemas[term.New] = schemaOf(t, documentOf(t, definitions))
	_, ledger := s.judge()
	assert.Equal(t, map[string][]string{
		".metadata.finalizers": {}, ".spec.parts": {"name"}, ".spec.tags": {}, ".status.conditions": {"type"},
	}, ledger.Lists["example.dev/v1/Widget"])
	assert.Contains(t, ledger.Lists, "example.dev/v1/Gadget")
	assert.NotContains(t, ledger.Lists, "example.dev/v1/Gizmo")
}

// Of a list that the releases publish otherwise the old one's keys count; one that only
// the new one publishes is there too.
func TestListKeysOfBothReleases(t *testing.T) {
	s := mixed(t)
	document := documentOf(t, published(term.New))
	fields := `.components.schemas["dev.example.v1.Widget"].properties.spec.properties`
	byCount := listOf("map", structOf(object{"name": scalarOf("string"), "count": scalarOf("integer")}), "count")
	for _, name := range []string{"parts", "spares"} {
		if err := path.Set(document, parsePath(t, fields+"."+name), byCount); err != nil {
			t.Fatal(err)
		}
	}
	s.schemas[term.New] = schemaOf(t, clone(t, document))
	_, ledger := s.judge()
	widget := ledger.Lists["example.dev/v1/Widget"]
	assert.Equal(t, []string{"name"}, widget[".spec.parts"])
	assert.Equal(t, []string{"count"}, widget[".spec.spares"])
}
