package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// The ledger says how the lists of its copies' kinds are read, and of no others.
func TestListKeys(t *testing.T) {
	run := oracletest.NewMixed(t)
	definitions := oracletest.Definitions(term.New)
	definitions["dev.example.v1.Gizmo"] = oracletest.Kind("example.dev", "v1", "Gizmo", oracletest.Object{"spec": oracletest.WidgetSpec(term.New)})
	run.Schemas[term.New] = oracletest.Schema(t, oracletest.Document(t, definitions))
	_, ledger := run.Judge()
	assert.Equal(t, map[string][]string{
		".metadata.finalizers": {}, ".spec.parts": {"name"}, ".spec.tags": {}, ".status.conditions": {"type"},
	}, ledger.Lists["example.dev/v1/Widget"])
	assert.Contains(t, ledger.Lists, "example.dev/v1/Gadget")
	assert.NotContains(t, ledger.Lists, "example.dev/v1/Gizmo")
}

// Of a list that the releases publish otherwise the old one's keys count; one that only
// the new one publishes is there too.
func TestListKeysOfBothReleases(t *testing.T) {
	run := oracletest.NewMixed(t)
	document := oracletest.Document(t, oracletest.Definitions(term.New))
	fields := `.components.schemas["dev.example.v1.Widget"].properties.spec.properties`
	byCount := oracletest.List("map", oracletest.Struct(oracletest.Object{"name": oracletest.Scalar("string"), "count": oracletest.Scalar("integer")}), "count")
	for _, name := range []string{"parts", "spares"} {
		if err := path.Set(document, oracletest.Path(t, fields+"."+name), byCount); err != nil {
			t.Fatal(err)
		}
	}
	run.Schemas[term.New] = oracletest.Schema(t, oracletest.Clone(t, document))
	_, ledger := run.Judge()
	widget := ledger.Lists["example.dev/v1/Widget"]
	assert.Equal(t, []string{"name"}, widget[".spec.parts"])
	assert.Equal(t, []string{"count"}, widget[".spec.spares"])
}
