package blame_test

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// Who carries one member of a related group back as it was, and cannot carry the
// other, has not cleared that: a server that knows both keeps it. Near misses are a
// client that carries no member of the group or another value of it, and a server
// that does not know the field.
func TestRelatedCarriedBack(t *testing.T) {
	red := oracletest.Object{"colour": "red"}
	cases := map[string]struct {
		related   [][]string
		sent      oracletest.Object
		read, via string
		want      string
	}{
		"carried":                 {[][]string{{".spec.colour", ".spec.shine"}}, red, "a", "a", "violation rule-5 lost client-omitted"},
		"carried, in turn":        {[][]string{{".spec.shine.level", ".spec.colour"}}, red, "a", "a", "violation rule-5 lost client-omitted"},
		"carried, and read below": {[][]string{{".spec.colour", ".spec.shine"}}, red, "b", "a", "violation rule-5 lost read-hidden"},
		"changed":                 {[][]string{{".spec.colour", ".spec.shine"}}, oracletest.Object{"colour": "blue"}, "a", "a", "impact rule-6 lost client-omitted"},
		"not carried":             {[][]string{{".spec.colour", ".spec.shine"}}, oracletest.Object{"size": "1"}, "a", "a", "impact rule-6 lost client-omitted"},
		"of another group":        {[][]string{{".spec.colour", ".spec.size"}, {".spec.grain", ".spec.shine"}}, red, "a", "a", "impact rule-6 lost client-omitted"},
		"through the old release": {[][]string{{".spec.colour", ".spec.shine"}}, red, "a", "b", "impact rule-6 lost unknown-field"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.History.Header.Plan.Related = c.related
			run.Create("treated-1", oracletest.ShineSpec)
			run.Do(term.Put, "treated-1", oracletest.Spec(c.sent), []oracletest.Edit{oracletest.With(".spec.shine", nil)}, oracletest.Via(c.via), oracletest.ReadVia(c.read), oracletest.By(term.OldTyped))
			run.ExpectFindings(fmt.Sprintf("nothing-lost %s treated-1 .spec.shine in step 4 (upgrading 1/2)", c.want))
		})
	}
}

// A manager that applies one member of a group as it was has given the other up
// in name alone. Who applies neither gives up both.
func TestRelatedApplied(t *testing.T) {
	for want, body := range map[string]oracletest.Object{"violation rule-5": {"colour": "red"}, "impact rule-6": {"tags": []any{}}} {
		run := oracletest.NewMixed(t)
		run.History.Header.Plan.Related = [][]string{{".spec.colour", ".spec.shine"}}
		run.Create("treated-1", oracletest.ShineSpec)
		applied(run, "treated-1", "skewsim", oracletest.Object{"f:spec": oracletest.Object{"f:shine": oracletest.Object{"f:level": oracletest.Object{}}}})
		run.Observe()
		run.Do(term.Apply, "treated-1", oracletest.Spec(body), []oracletest.Edit{oracletest.With(".spec.shine", nil), oracletest.With(".spec.tags", []any{})}, oracletest.Via("a"), oracletest.By(term.OldApply))
		run.ExpectFindings(fmt.Sprintf("nothing-lost %s lost apply-released treated-1 .spec.shine in step 5 (upgrading 1/2)", want))
	}
}
