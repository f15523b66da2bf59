package gotest

import (
	"testing"

	"github.com/skewsim/skewsim/sim/skewtest"
)

func frobber(spec map[string]any) map[string]any {
	return map[string]any{"apiVersion": "frobbing.example.com/v6", "kind": "Frobber", "spec": spec}
}

// width is about the field that release 1.1 of the reference server adds.
func width(name string) *skewtest.ScenarioSpec {
	s := skewtest.Scenario(name).Journey(skewtest.Upgrade, skewtest.Rollback)
	s.Object("frobber",
		skewtest.Treated(frobber(map[string]any{"height": 3, "param": "Super", "width": 5})),
		skewtest.Bystander(frobber(map[string]any{"height": 3, "param": "Super"})),
	)
	s.Create("frobber", skewtest.NewTyped, skewtest.ViaNew)
	return s
}

// TestFrobber expects what an old client and an old server lose of a new field. A second
// scenario, whose objects nobody writes, shares the servers of the first.
func TestFrobber(t *testing.T) {
	env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))

	written := width("width-written")
	written.Touch("frobber").Clients(skewtest.OldTyped, skewtest.Dynamic).Via(skewtest.ViaOld, skewtest.ViaNew).At(skewtest.StageUpgrading)
	written.Expect(
		skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseUnknownField).At(".spec.width").Via(skewtest.ViaOld),
		skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseClientOmitted).At(".spec.width").Clients(skewtest.OldTyped),
		skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseDefaulted).At(".spec.width").Because("the default takes the lost value's place"),
	)

	kept := width("width-kept")
	kept.Get("frobber", skewtest.EveryStage)

	env.Run(t, written, kept)
}
