package gotest

import (
	"testing"

	"github.com/skewsim/skewsim/sim/skewtest"
)

// TestMyField accepts what old servers and old clients do to the field that 1.1 adds, and fails
// if anything else happens.
func TestMyField(t *testing.T) {
	env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))
	s := skewtest.Scenario("my-field")
	s.Object("frobber", skewtest.Treated("objects/with.yaml"), skewtest.Bystander("objects/without.yaml"))
	s.Create("frobber", skewtest.NewTyped, skewtest.ViaNew)
	s.Touch("frobber").Clients(skewtest.OldTyped).Verbs(skewtest.VerbPut).AtEveryStage()
	s.Expect(
		skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseUnknownField).At(".spec.width").Via(skewtest.ViaOld),
		skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseClientOmitted).At(".spec.width").Via(skewtest.ViaNew),
		skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseDefaulted).At(".spec.width"), // in place of the lost value
		skewtest.Impact(skewtest.CheckResurrection).At(".spec.width"),                         // hidden by the rollback, and back after it
	)
	env.Run(t, s)
}
