package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// unplayedRow is a row of a kind that nothing was played for.
func unplayedRow(k term.DifferenceKind, version, path string) Row {
	d := diff.Difference{Difference: k, Group: "example.dev", Version: version, Kind: "Thing", Path: path, Playable: path != "", Places: []diff.Place{{APIVersion: "example.dev/" + version, Kind: "Thing", Path: path}}}
	return Row{ID: string(k) + version + path, Difference: d}
}

// TestDefinitionRefusedWithoutObject: an old definition that cannot be installed again fails the sweep, though no
// object could be made: in the row about the stored version, or in one of its own. What a lap shows is there once,
// and other kinds have nothing of it.
func TestDefinitionRefusedWithoutObject(t *testing.T) {
	refused := []RefusedDefinition{{Group: "example.dev", Kind: "Thing", Of: term.Old, Stage: StageRolledBack, Message: "no", Cause: term.BadVersion}}
	further := func(own Scope) func([]Row) []Row {
		return func(rows []Row) []Row { return AddDefinitions(rows, own, refused, nil) }
	}
	failing := func(own Scope, rows ...Row) (ids []string) {
		for _, r := range (Result{Rows: Rows(rows, nil, further(own))}).Failing(Gate{Level: term.Undecodable.Effect()}) {
			assert.Equal(t, []any{term.Refused.Effect(), term.BadVersion, 1, 1}, []any{r.Effect, r.Cause, r.Broken, len(r.Cells)})
			ids = append(ids, r.ID)
		}
		return ids
	}
	storage, field := unplayedRow(term.StorageChanged, "v1", ""), unplayedRow(term.FieldAdded, "v1", ".spec.a")
	assert.Equal(t, []string{storage.ID}, failing(Scope{}, field, storage))
	assert.Equal(t, []string{definitionRow(field).ID}, failing(Scope{}, field))
	assert.Empty(t, failing(Scope{Kinds: []string{"Other"}}, field))
	other := field
	other.Kind = "Other"
	assert.Empty(t, failing(Scope{}, other))

	shown := LapResult{Lap: term.DefaultLap, Effect: term.Refused.Effect(), Cells: []Cell{{Stage: StageRolledBack, Effect: term.Refused.Effect(), Rule: term.RuleInstallable, Class: term.Violation}}}
	storage.Laps = []LapResult{shown}
	rows := AddDefinitions([]Row{storage}, Scope{}, refused, nil)
	assert.Len(t, rows[0].Laps[0].Cells, 1)
	refused[0].Of = term.New // the upgrade is refused too
	rows = AddDefinitions([]Row{storage}, Scope{}, refused, nil)
	assert.Len(t, rows[0].Laps[0].Cells, 2)
}

// TestOnceStored: a version that was only unserved and is dropped has a verdict that no gate below it fails by; of
// one that clients could use, it is a note.
func TestOnceStored(t *testing.T) {
	once := []OnceStored{{Group: "example.dev", Kind: "Thing", Version: "v1alpha1", Message: "no"}}
	rows := Rows([]Row{unplayedRow(term.UnservedRemoved, "v1alpha1", ""), unplayedRow(term.VersionRemoved, "v1alpha1", ""), unplayedRow(term.UnservedRemoved, "v1alpha2", "")}, nil,
		func(rows []Row) []Row { return AddDefinitions(rows, Scope{}, nil, once) })
	by := map[string]Row{}
	for _, r := range rows {
		by[r.ID] = r
	}
	unserved := by["unserved-version-removedv1alpha1"]
	assert.Equal(t, []any{term.Refused.Effect(), term.BadVersion, 0, true}, []any{unserved.Effect, unserved.Cause, unserved.Broken, unserved.Reachable})
	assert.Equal(t, term.NotExercised.Effect(), by["version-removedv1alpha1"].Effect)
	assert.Len(t, by["version-removedv1alpha1"].Notes, 1)
	assert.Equal(t, term.NotExercised.Effect(), by["unserved-version-removedv1alpha2"].Effect)
	assert.Empty(t, Result{Rows: rows}.Failing(Gate{Level: term.Lost.By(term.NewRelease), AllowImpacts: true}))
	assert.Len(t, Result{Rows: rows}.Failing(Gate{Level: term.Refused.Effect(), AllowImpacts: true}), 1)
}
