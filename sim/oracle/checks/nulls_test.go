package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A null that a release declares as a value is hidden by one that does not, and lost with the first write
// there. A null that no release declares is no value.
func TestNull(t *testing.T) {
	for _, nullable := range []bool{true, false} {
		run := oracletest.NewRun(t)
		of := oracletest.Scalar("string")
		if nullable {
			of["nullable"] = true
		}
		run.Publish(term.Old, oracletest.Object{"spec.properties.config": of})
		run.Publish(term.New, oracletest.Object{"spec.properties.config": oracletest.Scalar("string")})
		run.Behave(term.New, oracletest.Behaviour{Decode: func(o oracletest.Object) {
			if at := oracletest.Path(t, ".spec.config"); oracletest.Has(t, o, ".spec") {
				if v, has := path.Get(o, at); has && v == nil {
					path.Remove(o, at)
				}
			}
		}})
		run.Create("bystander-1", `{"config": null, "colour": "red"}`)
		run.Stage("new", term.New, term.New)
		run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"))
		if nullable {
			run.ExpectFindings(`nothing-lost violation rule-6 lost unknown-field bystander-1 .spec.config in step 4 (new)`)
		} else {
			run.ExpectFindings()
		}
	}
}

// A null that only the new release declares as a value is the change: its loss through the old release is an
// impact on the objects that use it. That of a null which the old release declares breaks a rule: see TestNull.
func TestNullOfTheChange(t *testing.T) {
	run := oracletest.NewRun(t)
	nullable := oracletest.Scalar("string")
	nullable["nullable"] = true
	run.Publish(term.Old, oracletest.Object{"spec.properties.config": oracletest.Scalar("string")})
	run.Publish(term.New, oracletest.Object{"spec.properties.config": nullable})
	run.Behave(term.Old, oracletest.Behaviour{Decode: func(o oracletest.Object) {
		if at := oracletest.Path(t, ".spec.config"); oracletest.Has(t, o, ".spec") {
			if v, has := path.Get(o, at); has && v == nil {
				path.Remove(o, at)
			}
		}
	}})
	run.Stage("new", term.New, term.New)
	run.Create("treated-1", `{"config": null, "colour": "red"}`)
	run.Stage("rolled-back", term.Old, term.Old)
	run.Patch("treated-1", oracletest.Set(".spec.colour", "blue"))
	run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.config in step 5 (rolled-back)`)
}
