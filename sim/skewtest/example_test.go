package skewtest_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/skewtest"
)

// A scenario for a field that a release adds, with what upgrade and rollback do to it: servers and
// clients of the old release drop the field, a default takes the place of a lost value, and the
// rollback hides the values that nobody writes until the next upgrade.
func Example() {
	_ = func(t *testing.T) { // TestMyField
		env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))
		s := skewtest.Scenario("my-field")
		s.Object("frobber", skewtest.Treated("objects/with.yaml"), skewtest.Bystander("objects/without.yaml"))
		s.Create("frobber", skewtest.NewTyped, skewtest.ViaNew)
		s.Touch("frobber").Clients(skewtest.OldTyped).Verbs(skewtest.VerbPut).AtEveryStage()
		s.Expect(
			skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseUnknownField).At(".spec.width").Via(skewtest.ViaOld),
			skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseClientOmitted).At(".spec.width").Via(skewtest.ViaNew),
			skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseDefaulted).At(".spec.width"),
			skewtest.Impact(skewtest.CheckResurrection).At(".spec.width"),
		)
		env.Run(t, s)
	}
}

// Several scenarios of one pair of releases share its servers.
func ExampleEnv_Run() {
	_ = func(t *testing.T) {
		env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))
		written, kept := skewtest.Scenario("written"), skewtest.Scenario("kept")
		for _, s := range []*skewtest.ScenarioSpec{written, kept} {
			s.Journey(skewtest.Upgrade, skewtest.Rollback)
			s.Object("frobber", skewtest.Treated("testdata/wide.yaml"))
			s.Create("frobber", skewtest.NewTyped, skewtest.ViaNew)
		}
		written.Touch("frobber").Clients(skewtest.OldTyped).At(skewtest.StageUpgrading)
		kept.Get("frobber", skewtest.EveryStage)
		env.Run(t, written, kept)
	}
}

// Scenario files run too: those of a directory, and those of the catalogue.
func ExampleEnv_RunFile() {
	_ = func(t *testing.T) {
		env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))
		env.RunFile(t, "testdata/my-field.yaml", "frobber/add-field")
	}
}

// Options limit the runs of a pair, and say where their reports are.
func ExampleStart() {
	_ = func(t *testing.T) {
		skewtest.Start(t,
			skewtest.Old("crd:manifests/v1"), skewtest.New("crd:manifests/v2"),
			skewtest.Timeout(5*time.Minute), skewtest.Retries(0), skewtest.Dir("out"),
		)
	}
}

// An object has up to two forms. Values are typed objects, unstructured ones, YAML, or files.
func ExampleScenarioSpec_Object() {
	s := skewtest.Scenario("labels")
	s.Object("settings",
		skewtest.Treated(map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"a": "1"}}),
		skewtest.Bystander(&metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}}),
		skewtest.Since(">= 1.36"),
	)
}

// Lines that follow a line are executed on the same copies.
func ExampleLine_Then() {
	s := skewtest.Scenario("patched")
	s.Patch("settings", skewtest.VerbMergePatch, map[string]any{"data": map[string]any{"a": "2"}}, skewtest.ViaOld).
		Then(func(then *skewtest.Lines) { then.Get("settings", skewtest.ViaNew) })
}

// Each limit of an expectation narrows it: a finding must match all.
func ExampleExpectation() {
	s := skewtest.Scenario("my-field")
	s.Expect(skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseClientOmitted).
		At(".spec.myField").Clients(skewtest.OldTyped).Outcomes(skewtest.OutcomeLost).Because("old clients do not know the field"))
}

// Edit sets keys of the file format that have no method.
func ExampleScenarioSpec_Edit() {
	skewtest.Scenario("alone").Edit(func(s *scenarios.Scenario) { s.Isolate = true })
}

// Main is needed where a release is a container image.
func ExampleMain() {
	_ = func(m *testing.M) { // TestMain
		skewtest.Main(m)
	}
}
