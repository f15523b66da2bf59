package blame_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A release that does not know the one member that is set stores an empty union, when it
// writes an object that has it; of a struct that may be empty the member alone is gone.
func TestUnionEmptiedLater(t *testing.T) {
	for name, c := range map[string]struct {
		union       bool
		spec, cause string
	}{
		"a union":                     {true, `{"lamp": {"gas": 1}}`, "union-emptied"},
		"a struct":                    {false, `{"lamp": {"gas": 1}}`, "unknown-field"},
		"a union, something is left":  {true, `{"lamp": {"gas": 1, "oil": 1}}`, "unknown-field"},
		"a struct, something is left": {false, `{"lamp": {"gas": 1, "oil": 1}}`, "unknown-field"},
	} {
		t.Run(name, func(t *testing.T) {
			run := lampOfOldIsOil(t, c.union)
			run.Create("treated-1", c.spec, oracletest.Via("a"))
			run.Patch("treated-1", oracletest.Via("b"))
			run.ExpectFindings(`nothing-lost impact rule-6 lost ` + c.cause + ` treated-1 .spec.lamp.gas in step 4 (upgrading 1/2)`)
		})
	}
}

// A union that is stored empty has a cause of its own; a struct that may be empty not.
func TestUnionEmptied(t *testing.T) {
	const gas = `{"lamp": {"gas": 1}}`
	for union, cause := range map[bool]string{true: "union-emptied", false: "gate-disabled"} {
		run := lamps(t, union)
		run.Create("treated-3", gas, oracletest.Via("b"))
		run.ExpectMessage(`nothing-lost impact lifecycle dropped `+cause+` treated-3 .spec.lamp.gas in step 8 (upgrading 1/2)`, "it leaves .spec.lamp empty")
	}
	run := lamps(t, true)
	run.Create("treated-3", `{"lamp": {"gas": 1, "oil": 2}}`, oracletest.Via("b")) // something is left
	run.ExpectMessage(`nothing-lost impact lifecycle dropped gate-disabled treated-3 .spec.lamp.gas in step 8 (upgrading 1/2)`, "the answer does not show it; gate-disabled")
	run = lamps(t, true)
	run.Create("treated-3", `{"lamp": {"oil": 1}}`, oracletest.Via("b"))
	run.ExpectFindings()
}

// Of a release that has no place for the member at all, it is the change's impact.
func TestUnionEmptiedByIgnorance(t *testing.T) {
	for union, cause := range map[bool]string{true: "union-emptied", false: "unknown-field"} {
		run := oracletest.NewMixed(t)
		of := lampOf(union)
		run.Publish(term.New, oracletest.Object{oracletest.LampPath: of})
		old := lampOf(union)
		delete(old["properties"].(oracletest.Object), "gas")
		run.Publish(term.Old, oracletest.Object{oracletest.LampPath: old})
		run.Create("treated-1", `{"lamp": {"gas": 1}}`, oracletest.Via("b"))
		run.ExpectMessage(`nothing-lost impact rule-3 dropped `+cause+` treated-1 .spec.lamp.gas in step 3 (upgrading 1/2)`, cause+": ")
	}
}
