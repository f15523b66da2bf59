package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// TestElementsNamedByTheirPlace: a step can change an element of a list by its place where a release, or both,
// know the list by keys. What the step changes is no loss; what the server loses beside it is one.
func TestElementsNamedByTheirPlace(t *testing.T) {
	const parts = `{"parts": [{"name": "a", "count": 1}, {"name": "b", "count": 2}]}`
	element := oracletest.Struct(oracletest.Object{"name": oracletest.Scalar("string"), "count": oracletest.Scalar("integer")})
	for name, of := range map[string]oracletest.Object{"known by keys": oracletest.List("map", element, "name"), "by keys in the new release": oracletest.List("atomic", element)} {
		t.Run(name, func(t *testing.T) {
			begin := func(lose oracletest.Behaviour) *oracletest.Run {
				run := oracletest.NewMixed(t)
				run.Publish(term.Old, oracletest.Object{"spec.properties.parts": of})
				run.Behave(term.New, lose)
				run.Stage("new", term.New, term.New)
				run.Create("treated-1", parts)
				return run
			}
			changes := map[string]func(*oracletest.Run){
				"put":   func(run *oracletest.Run) { run.Put("treated-1", oracletest.Set(".spec.parts[0].count", 5)) },
				"patch": func(run *oracletest.Run) { run.Patch("treated-1", oracletest.Set(".spec.parts[0].count", 5)) },
				"whole": func(run *oracletest.Run) {
					run.Put("treated-1", oracletest.Set(".spec.parts[0]", oracletest.Object{"name": "c", "count": 7}))
				},
			}
			for verb, change := range changes {
				t.Run(verb, func(t *testing.T) {
					run := begin(oracletest.Behaviour{})
					change(run)
					run.Observe()
					run.ExpectFindings()
				})
			}
			run := begin(oracletest.Behaviour{Clear: func(now, was oracletest.Object) {
				if was != nil {
					oracletest.With(`.spec.parts[name="b"].count`, nil)(t, now)
				}
			}})
			changes["put"](run)
			run.Observe()
			run.ExpectFindings(`nothing-lost violation rule-2 lost unattributed treated-1 .spec.parts[name="b"].count in step 5 (new)`)
		})
	}
}
