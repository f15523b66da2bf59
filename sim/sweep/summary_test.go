package sweep

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestPublishedIsCounted: a row that only servers show is no difference that the releases publish,
// neither in the totals nor in the answer.
func TestPublishedIsCounted(t *testing.T) {
	laps := []LapResult{{Lap: term.DefaultLap, Effect: term.Kept.Effect(), Exercised: true}}
	published, shown := Row{Laps: laps}, Row{Laps: laps}
	published.Difference.Difference, published.Exercised = term.FieldAdded, true
	shown.Difference.Difference, shown.Exercised, shown.Name = term.RuleChanged, true, Unstated
	behaviour, listed := shown, published
	behaviour.Difference.Difference, behaviour.Name, behaviour.Playable = term.BehaviourChanged, "", true
	published.Playable, listed.Exercised, listed.Laps = true, false, nil
	r := Result{Rows: []Row{published, shown, behaviour, listed}}
	r.Totals = totals(r.Rows)
	assert.Equal(t, []int{2, 1, 1}, []int{r.Totals.Differences, r.Totals.Playable, r.Totals.Exercised})
	assert.Equal(t, Fraction{Exercised: 1, Of: 1}, r.Totals.AddedFields, "a field that is listed only is not one that objects should reach")
	assert.Equal(t, 3, r.Totals.Default["kept"])
	assert.Contains(t, answer(r), "1 of 2 ")
}

// TestNameOf: a value of an enum has its name beside the field, a kind its version, and a gate its own.
func TestNameOf(t *testing.T) {
	of := func(kind term.DifferenceKind, group, version, object, path, name string) (r Row) {
		r.Difference.Difference, r.Group, r.Version, r.Kind, r.Path, r.Name = kind, group, version, object, path, name
		return r
	}
	for want, r := range map[string]Row{
		"Pod .spec.mode Fast":   of(term.EnumValueAdded, "", "v1", "Pod", ".spec.mode", "Fast"),
		"Pod .spec.mode Slow":   of(term.EnumValueRemoved, "", "v1", "Pod", ".spec.mode", "Slow"),
		"Pod .spec.size":        of(term.RuleTightened, "", "v1", "Pod", ".spec.size", "maximum"),
		"Pod .spec.mode":        of(term.EnumValueAdded, "", "v1", "Pod", ".spec.mode", ""),
		"Lease in sample.io/v1": of(term.KindAdded, "sample.io", "v1", "Lease", "", "lease"),
		"Pod in v1":             of(term.StorageChanged, "", "v1", "Pod", "", ""),
		"SomeGate":              of(term.GateChanged, "", "", "", "", "SomeGate"),
	} {
		assert.Equal(t, want, nameOf(r))
	}
	assert.Equal(t, "gate-changed SomeGate", of(term.GateChanged, "", "", "", "", "SomeGate").What())
}

// TestAnswer: the answer is about default settings, names what is lost and what cannot be installed, and
// counts as broken only what loses nothing.
func TestAnswer(t *testing.T) {
	of := func(kind string, lap term.Lap, verdict term.Effect, broken int, cells ...Cell) (r Row) {
		r.Difference.Difference, r.Group, r.Version, r.Kind = term.FieldAdded, "sample.io", "v1", kind
		r.Laps = []LapResult{{Lap: term.GatesLap, Effect: term.Undecodable.Effect()}, {Lap: lap, Effect: verdict, Broken: broken, Exercised: true, Cells: cells}}
		return r
	}
	uninstalled := Cell{Rule: term.RuleInstallable, Class: term.Violation}
	r := Result{Totals: Totals{Differences: 9}, Rows: []Row{
		of("Gone", term.DefaultLap, term.Lost.By(term.NewRelease), 1), of("Refused", term.DefaultLap, term.Refused.Effect(), 2), of("Fine", term.DefaultLap, term.Kept.Effect(), 0),
		of("Stuck", term.DefaultLap, term.Refused.Effect(), 1, uninstalled), of("Gated", term.GatesLap, term.Frozen.Effect(), 1),
	}}
	told := answer(r)
	assert.Contains(t, told, "4 of 9 ")
	for kind, times := range map[string]int{"Gone": 1, "Refused": 1, "Stuck": 1, "Fine": 0, "Gated": 0} {
		assert.Equal(t, times, strings.Count(told, kind+" in sample.io/v1"), kind)
	}
	quiet := Result{Laps: []LapSummary{{Lap: term.DefaultLap, Objects: 3}, {Lap: term.GatesLap, Objects: 40}, {Lap: term.DefaultLap, Objects: 4}}}
	assert.Contains(t, answer(quiet), " 7 objects ")
}
