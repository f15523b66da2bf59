package blame_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// A PUT of a part of an object changes that part: what its body lacks of the rest is not why
// that is gone. Near misses: a PUT of the whole object, and one of a part whose line names a
// member that the value is in.
func TestPutOfAPartReachesThatPart(t *testing.T) {
	const glossy = `{"colour": "red", "finish": {"tone": "dull", "gloss": 3}, "shine": {"level": 3}}`
	for name, c := range map[string]struct {
		verb  term.Verb
		part  string
		names []string
		lost  string
		want  string
	}{
		"the whole":                 {term.Put, "", []string{oracletest.TouchLabel}, ".spec.shine", "client-omitted"},
		"the status":                {term.StatusPut, "", []string{".status.level"}, ".spec.shine", "unattributed"},
		"the status, by name":       {term.Put, "status", []string{".status.level"}, ".spec.shine", "unattributed"},
		"the scale":                 {term.ScalePut, "", []string{".spec.replicas"}, ".spec.shine", "unattributed"},
		"another part":              {term.Put, "resize", []string{".spec.finish.tone"}, ".spec.shine", "unattributed"},
		"a part that holds it":      {term.Put, "resize", []string{".spec.finish.tone"}, ".spec.finish.gloss", "client-omitted"},
		"a part that nothing names": {term.UnchangedPut, "resize", nil, ".spec.shine", "unattributed"},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("treated-1", glossy)
			body := oracletest.Spec(oracletest.Object{"colour": "red", "finish": oracletest.Object{"tone": "dull"}})
			step := run.Do(c.verb, "treated-1", body, []oracletest.Edit{oracletest.With(c.lost, nil)}, oracletest.Via("a"), oracletest.ReadVia("a"), oracletest.By(term.OldTyped))
			at := run.PlannedStep(step)
			at.Subresource = c.part
			at.Change = &plan.Change{Kind: plan.Label, Names: c.names}
			if c.part == "resize" && c.names != nil {
				at.Change.Kind, at.Change.Fields = plan.Fields, oracletest.Object{c.names[0]: "dull"}
			}
			run.ExpectFindings(`nothing-lost impact rule-6 lost ` + c.want + ` treated-1 ` + c.lost + ` in step 4 (upgrading 1/2)`)
		})
	}
}
