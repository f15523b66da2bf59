package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A tag that was another field's, and is used again by a release which does not
// know that any more: whatever is stored under it shows as the new field, without
// an error, though nobody sent it. Near misses are a release that has another tag;
// text, which knows fields by name; a default; an equal value that was sent; and a
// value that shows on what never held the other field.
func TestTagOfTheAbandoned(t *testing.T) {
	const glows, plain = `{"colour": "Red", "breadth": 7}`, `{"colour": "Red"}`
	play := func(tag string, edit func(*oracletest.Run)) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		run.Publish(term.Old, oracletest.Object{"spec.properties.breadth": oracletest.Integer(nil)})
		run.Publish(term.New, oracletest.Object{"spec.properties.tilt": oracletest.Integer(nil)})
		old, new := oracletest.StoreByTags(t, map[string]string{"t3": "breadth"}), oracletest.StoreByTags(t, map[string]string{tag: "tilt"})
		old.Default, new.Default = nil, nil
		run.Behave(term.Old, old)
		run.Behave(term.New, new)
		edit(run)
		run.Create("treated-1", glows, oracletest.Via("b"))
		run.Create("bystander-1", plain, oracletest.Via("b"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe() // step 5
		return run
	}
	as := func(*oracletest.Run) {}
	const reported = `nothing-lost violation storage changed encoding treated-1 .spec.tilt in step 5 (upgrading 1/2)`
	play("t3", as).StoreAsProtobuf().ExpectFindings(reported)
	play("t4", as).StoreAsProtobuf().ExpectFindings()
	play("t3", as).ExpectFindings()
	play("t4", func(run *oracletest.Run) {
		run.Publish(term.New, oracletest.Object{"spec.properties.tilt": oracletest.Integer(7)})
		new := run.Behaviours[term.New]
		new.Default = oracletest.Fill(t, "tilt", 7)
		run.Behave(term.New, new)
	}).StoreAsProtobuf().ExpectFindings()
	play("t4", func(run *oracletest.Run) {
		new := run.Behaviours[term.New]
		new.Compute = func(o oracletest.Object) { oracletest.With(".spec.tilt", 7)(t, o) } // on the bystander as well
		run.Behave(term.New, new)
	}).StoreAsProtobuf().ExpectFindings()

	// What is sent afterwards is the client's own, whatever it equals.
	sent := play("t4", as)
	sent.Patch("treated-1", oracletest.Set(".spec.tilt", 7))
	sent.Observe()
	sent.StoreAsProtobuf().ExpectFindings(`nothing-lost violation rule-2 lost unknown-field treated-1 .spec.breadth in step 6 (upgrading 1/2)`)
}
