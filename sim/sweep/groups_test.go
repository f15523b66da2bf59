package sweep

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// groupRow is a row of a difference with a verdict.
func groupRow(k term.DifferenceKind, version, kind, path, name string, verdict term.Effect) Row {
	d := diff.Difference{Difference: k, Group: "sample.io", Version: version, Kind: kind, Path: path, Name: name, Playable: true}
	return Row{ID: fmt.Sprint(k, version, kind, path, name), Difference: d, Reachable: true, LapResult: LapResult{Effect: verdict, Exercised: true}}
}

// TestGroups: all values of one enum are one change, in each version, place and kind, if the same became of
// them. Another field, another rule and another verdict are another change.
func TestGroups(t *testing.T) {
	var rows []Row
	for _, version := range []string{"v1", "v1beta1"} {
		for _, kind := range []string{"Plan", "PlanRevision"} {
			for _, place := range []string{".spec.sets[].patches[].type", ".spec.items[].patches[].type"} {
				for _, value := range []string{"Fast", "Slow"} {
					rows = append(rows, groupRow(term.EnumValueRemoved, version, kind, place, value, term.PartlyFrozen.Effect()))
				}
			}
		}
	}
	size := func(path, old, new string, verdict term.Effect) Row {
		r := groupRow(term.RuleTightened, "v1", "Plan", path, "maxLength", verdict)
		r.Old, r.New = old, new
		return r
	}
	rows = append(rows, groupRow(term.EnumValueRemoved, "v1", "Plan", ".spec.mode.type", "Fast", term.PartlyFrozen.Effect()),
		size(".spec.a.note", "", "8", term.Refused.Effect()), size(".status.a.note", "", "8", term.Refused.Effect()),
		size(".spec.b.note", "", "8", term.Refused.Effect()), size(".spec.c.a.note", "", "9", term.Refused.Effect()), size(".spec.d.a.note", "", "8", term.Kept.Effect()))
	gate := Gate{Level: term.PartlyFrozen.Effect()}
	groups := Result{Rows: rows}.Groups(gate)
	var sizes []int
	count := 0
	for _, g := range groups {
		sizes = append(sizes, len(g.Rows))
		count += len(g.Rows)
	}
	assert.Equal(t, []int{16, 1, 2, 1, 1, 1}, sizes)
	assert.Equal(t, len(rows), count, "each row is in one group")
	assert.Equal(t, []string{"Fast", "Slow"}, groups[0].Names())
	assert.Len(t, groups[0].Places(), 8)
	assert.True(t, groups[0].Fails)
	assert.False(t, groups[2].Fails)

	rows[3].Accepted = "team-a"
	groups = Result{Rows: rows}.Groups(gate)
	require.Len(t, groups, 7, "what is accepted is apart")
	assert.Equal(t, []bool{true, false}, []bool{groups[0].Fails, groups[1].Fails})
}

// TestGroupsOfKinds: a version that is added to several kinds is one change, and each new kind one of its own.
func TestGroupsOfKinds(t *testing.T) {
	var rows []Row
	for _, kind := range []string{"Plan", "Task"} {
		rows = append(rows, groupRow(term.VersionAdded, "v2", kind, "", "", term.Refused.Effect()), groupRow(term.KindAdded, "v1", kind, "", "", term.Kept.Effect()))
	}
	groups := Result{Rows: rows}.Groups(Gate{})
	require.Len(t, groups, 3)
	assert.Equal(t, []string{"sample.io/v2 Plan", "sample.io/v2 Task"}, groups[0].Places())
}

// TestOrder: rows are in the order of what they cost.
func TestOrder(t *testing.T) {
	stuck := groupRow(term.StorageChanged, "v1", "Plan", "", "refused install", term.Refused.Effect())
	stuck.Cells = []Cell{{Rule: term.RuleInstallable, Class: term.Violation}}
	old := groupRow(term.BehaviourChanged, "v1", "Plan", ".spec.x", "pre-existing", term.Undecodable.Effect())
	old.PreExisting = true
	var rows []Row
	rows = append(rows, old)
	for _, f := range []term.Effect{term.Kept.Effect(), term.Refused.Effect(), term.Changed.Effect(), term.PartlyFrozen.Effect(), term.Lost.By(term.NewRelease), term.Lost.By(term.OldServer), term.Frozen.Effect(), term.Undecodable.Effect(), term.NotExercised.Effect()} {
		rows = append(rows, groupRow(term.FieldAdded, "v1", "Plan", ".spec.a", f.String(), f))
	}
	rows = append(rows, stuck)
	broken := groupRow(term.FieldAdded, "v1", "Plan", ".spec.z", "broken", term.Lost.By(term.OldServer))
	broken.Class = term.Violation
	rows = append(rows, broken)
	sortRows(rows)
	var order []string
	for _, r := range rows {
		order = append(order, r.Name)
	}
	assert.Equal(t, []string{"refused install", "undecodable", "frozen", "broken", "lost:old-server", "lost:new-release", "partly-frozen", "changed", "refused", "kept", "not-exercised", "pre-existing"}, order)
}
