package sweep

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// rowsOf returns the rows of a difference.
func rowsOf(d diff.Difference) []Row {
	return Differences([]Part{{ID: "row", Difference: d}})
}

// besideRun is a run of an object without a field that the new release requires. Its note is
// changed through both releases, which answer with these codes; refusals list the errors.
func besideRun(old, new int, errors ...result.StatusCause) []Row {
	return besideRunOf("a", "aa", old, new, errors...)
}

// besideRunOf is the same with another note, and another value of it.
func besideRunOf(note, other any, old, new int, errors ...result.StatusCause) []Row {
	d := diff.Difference{Difference: term.RequiredAdded, Group: "example.dev", Version: "v1", Kind: "Thing", Type: "ThingSpec", Path: ".spec.owner", Playable: true}
	rows := rowsOf(d)
	o := Object{Target: Targets(rows, term.DefaultLap, Options{})[0]}
	o.Specimen = try.Specimen{Target: o.Target.Target, Held: ".spec", Object: map[string]any{
		"apiVersion": "example.dev/v1", "kind": "Thing", "spec": map[string]any{"note": note},
	}}
	var p plan.Plan
	var l result.Ledger
	var findings []result.Finding
	number := 0
	step := func(copy string, s plan.Step, code int) {
		number++
		s.Number, s.Action, s.Client, s.Object, s.Copy = number, plan.Operate, term.Dynamic, o.Target.ID, copy
		p.Stages = append(p.Stages, plan.Stage{Name: StageNew, Steps: []plan.Step{s}})
		row := result.Row{Step: number, Requests: []result.Request{{Code: code, StatusCauses: errors}}, Stored: &result.Stored{Revision: 1}}
		if s.Birth {
			l.Copies = append(l.Copies, result.CopyLedger{Copy: copy, Object: o.Target.ID, Role: term.Bystander})
		}
		at := &l.Copies[len(l.Copies)-1]
		at.Rows = append(at.Rows, row)
		if code >= 400 {
			findings = append(findings, result.Finding{
				Object: o.Target.ID, Copy: copy, Step: number, Outcome: term.Refused, Class: term.Violation, Rule: term.Rule1, Cause: term.Unattributed, Verb: term.Put, Client: term.Dynamic, Via: s.ViaRole, StatusCauses: errors,
			})
		}
	}
	change := &plan.Change{Kind: plan.Fields, Fields: map[string]any{".spec.note": other}}
	for i, role := range []term.Role{term.Old, term.New} {
		copy := []string{"one", "two"}[i]
		step(copy, plan.Step{Verb: term.Create, ViaRole: term.Old, Birth: true}, 201)
		step(copy, plan.Step{Verb: term.Put, ViaRole: role, Change: change}, []int{old, new}[i])
	}
	e := EvidenceOf(&p, result.Result{Findings: findings}, l)
	return Rows(rows, []Lap{{Lap: term.DefaultLap, Objects: withNeighbours(nil, o), Evidence: []Evidence{e}}})
}

// withNeighbours returns objects with the nearest change beside what they hold.
func withNeighbours(whole []diff.Difference, objects ...Object) []Object {
	for i, all := range Neighbours(objects, whole, Published{}) {
		if len(all) > 0 {
			objects[i].Target.Neighbour = all[0]
		}
	}
	return objects
}

// TestSiblings: an object is frozen if the new release does not take another value of a field
// beside the one that it requires. It is not if the old release refuses the change too, or if the
// new one objects to the changed field.
func TestSiblings(t *testing.T) {
	required := result.StatusCause{Field: "spec.owner", Reason: "FieldValueRequired", Message: "Required value"}
	tooLong := result.StatusCause{Field: "spec.note", Reason: "FieldValueTooLong", Message: "Too long: may not be more than 1 bytes"}
	exclusive := result.StatusCause{Field: "spec", Reason: "FieldValueInvalid", Message: `Invalid value: "object": at most one of a or b`}
	frozen := besideRun(200, 422, required)
	require.Len(t, frozen, 1)
	assert.Equal(t, []any{term.Frozen.Effect(), term.Rule1, term.NotRatcheted}, []any{frozen[0].Effect, frozen[0].Rule, frozen[0].Cause})
	flag := besideRunOf(true, false, 200, 422, required)
	require.Len(t, flag, 1)
	assert.Equal(t, []any{term.Frozen.Effect(), term.Rule1}, []any{flag[0].Effect, flag[0].Rule}, "false is not a zero in place of the value")
	assert.Equal(t, frozen[0].Cells[0].Write, flag[0].Cells[0].Write)
	assert.Equal(t, term.Frozen.Effect(), besideRun(200, 422, tooLong, required)[0].Effect, "one of the errors is of the field")
	assert.Equal(t, term.Kept.Effect(), besideRun(200, 200)[0].Effect)
	assert.NotEqual(t, term.Frozen.Effect(), besideRun(422, 422, required)[0].Effect)
	for _, other := range []result.StatusCause{tooLong, exclusive} {
		row := besideRun(200, 422, other)[0]
		assert.Equal(t, []any{term.NotExercised.Effect(), false}, []any{row.Effect, row.Exercised}, other.Message)
		assert.NotEmpty(t, row.Reason)
		assert.Empty(t, row.Class)
	}
}

// TestUnstored: a new version gets an object for each field that the stored version lacks, which is
// played whether or not the server keeps the field.
func TestUnstored(t *testing.T) {
	d := diff.Difference{Difference: term.VersionAdded, Group: "example.dev", Version: "v2", Kind: "Thing", Playable: true}
	rows := rowsOf(d)
	lacking := func(o Options) (paths []string) {
		for _, t := range Targets(rows, term.DefaultLap, o) {
			if t.Unkept {
				paths = append(paths, t.Path)
			}
		}
		return paths
	}
	assert.Empty(t, lacking(Options{}))
	assert.Equal(t, []string{".spec.b"}, lacking(Options{Unstored: map[Kind][]string{{"example.dev/v2", "Thing"}: {".spec.b"}, {"example.dev/v1", "Thing"}: {".spec.a"}}}))
}

// TestParts: a kind's baseline that shows what no difference explains is in exactly one part,
// whatever part has its rows.
func TestParts(t *testing.T) {
	var all []diff.Difference
	for _, field := range []string{"a", "b", "c", "d", "e", "f"} {
		all = append(all, diff.Difference{Difference: term.FieldAdded, Group: "example.dev", Version: "v1", Kind: "Thing", Type: "ThingSpec", Path: ".spec." + field, Playable: true})
	}
	d := diff.Result{Differences: all}
	_, every, err := Scope{}.Over(d)
	require.NoError(t, err)
	owners, baselines := 0, 0
	for shard := 1; shard <= 3; shard++ {
		over, parts, err := Scope{Shard: shard, Shards: 3}.Over(d)
		require.NoError(t, err)
		for _, target := range Targets(Differences(parts), term.DefaultLap, Options{Scope: over, Parts: Differences(every)}) {
			if target.Baseline() {
				baselines++
			}
			if target.Baseline() && target.InPart(over) {
				owners++
			}
		}
	}
	assert.Equal(t, 1, owners)
	assert.Greater(t, baselines, 1)
}

// TestNeverDeleted: that a kind without a definition is kept was not played: its definition stays.
func TestNeverDeleted(t *testing.T) {
	for component, want := range map[string]term.Effect{scenarios.ManifestComponent: term.NotExercised.Effect(), "frobber": term.Kept.Effect()} {
		var lap Lap
		lap.Settings.Releases.Of = component
		for kind, of := range map[term.DifferenceKind]term.Effect{term.KindRemoved: want, term.FieldAdded: term.Kept.Effect()} {
			o := LapResult{Effect: term.Kept.Effect(), Exercised: true}
			unshown(lap, Row{Difference: diff.Difference{Difference: kind}}, &o)
			assert.Equal(t, of, o.Effect, "%s %s", component, kind)
			assert.Equal(t, of == term.Kept.Effect(), o.Exercised)
		}
	}
}

// TestAtomic: where a list or map gets one owner, whole values that were kept show nothing: another manager
// may remove parts. A list type that changes otherwise is kept.
func TestAtomic(t *testing.T) {
	for types, want := range map[[2]string]term.Effect{
		{"granular", "atomic"}: term.NotExercised.Effect(), {"atomic", "map by name"}: term.NotExercised.Effect(), {"map by name", "map by id"}: term.Kept.Effect(),
	} {
		o := LapResult{Effect: term.Kept.Effect(), Exercised: true}
		unshown(Lap{}, Row{Difference: diff.Difference{Difference: term.ListChanged, Old: types[0], New: types[1]}}, &o)
		assert.Equal(t, want, o.Effect, types)
		lost := LapResult{Effect: term.Lost.By(term.NewRelease)}
		unshown(Lap{}, Row{Difference: diff.Difference{Difference: term.ListChanged, Old: types[0], New: types[1]}}, &lost)
		assert.Equal(t, term.Lost.By(term.NewRelease), lost.Effect, types)
	}
}

// TestMissingInStatus: an object without a field that its status must have gets its status written, and
// a field beside changed through both releases; the field itself nobody sends.
func TestMissingInStatus(t *testing.T) {
	o := Object{Target: Target{Rows: []string{"row"}, Release: term.Old, Form: term.Bystander, Without: "size", Beside: true}}
	o.Target.ID, o.Target.Path = "thing-size", ".status"
	o.Specimen.Subresource, o.Specimen.Held = term.StatusPart, ".status"
	o.Specimen.Object = map[string]any{"spec": map[string]any{}, "status": map[string]any{"phase": "sample", "size": int64(3)}}
	assert.NotContains(t, o.Body(), "status")
	changes := map[string]int{}
	for _, line := range treatments(withNeighbours(nil, o)[0], true) {
		for _, l := range append([]scenarios.Line{line}, line.Then...) {
			assert.NotContains(t, l.Fields, ".status.size")
			if l.Fields[".status.phase"] == "samplea" {
				changes[string(l.Via[0])]++
				assert.Equal(t, term.StatusPart, l.Subresource)
			}
		}
	}
	assert.Equal(t, map[string]int{"old": 1, "new": 1}, changes)
}

// TestStorageChanged: a field that the other release's stored version lacks is played from the release
// that stores it; where a webhook that is not known converts, nothing is.
func TestStorageChanged(t *testing.T) {
	rows := rowsOf(diff.Difference{Difference: term.StorageChanged, Group: "example.dev", Version: "v2", Kind: "Thing", Old: "v1", New: "v2", Playable: true})
	lacking := map[Kind][]string{{"example.dev/v1", "Thing"}: {".spec.a"}, {"example.dev/v2", "Thing"}: {".spec.b"}}
	by := map[string]term.Role{}
	for _, t := range Targets(rows, term.DefaultLap, Options{Unstored: lacking}) {
		if t.Path != "" {
			by[t.APIVersion+t.Path] = t.Release
		}
	}
	assert.Equal(t, map[string]term.Role{"example.dev/v1.spec.a": term.Old, "example.dev/v2.spec.b": term.New}, by)
	assert.Empty(t, Targets(rows, term.DefaultLap, Options{Unstored: lacking, Unconverted: []string{"Thing.example.dev"}}))
}

// TestRuleOfStruct: a rule of a struct is tried on another value of a member of it, and one of a scalar on
// a field beside it.
func TestRuleOfStruct(t *testing.T) {
	trial := try.Trial{APIVersion: "example.dev/v1", Kind: "Thing", Old: try.Answer{Code: 201, Accepted: true}, New: try.Answer{Code: 422}}
	trial.Object = map[string]any{"spec": map[string]any{"a": "sample", "inner": map[string]any{"x": "sample"}}}
	for held, want := range map[string]string{".spec.inner": ".spec.inner.x", ".spec.inner.x": "", ".spec.a": "", ".spec": ".spec.a"} {
		trial.Held, trial.Path = held, held
		objects := RuleObjects(Row{ID: "row"}, try.Result{Trials: []try.Trial{trial}})
		require.Len(t, objects, 1)
		if got := withNeighbours(nil, objects...)[0].Target.Neighbour; want != "" {
			assert.Equal(t, map[string]any{want: "samplea"}, got, held)
		} else {
			assert.NotContains(t, got, held)
		}
	}
}

// TestRequiredRemoved: an object without a field that the old release requires has a field beside it
// changed through the old release after the rollback.
func TestRequiredRemoved(t *testing.T) {
	d := diff.Difference{Difference: term.RequiredRemoved, Group: "example.dev", Version: "v1", Kind: "Thing", Type: "ThingSpec", Path: ".spec.size", Playable: true}
	o := Object{Target: Targets(rowsOf(d), term.DefaultLap, Options{})[0]}
	o.Specimen.Held, o.Specimen.Object = ".spec", map[string]any{"spec": map[string]any{"owner": "sample"}}
	at := map[string]string{}
	for _, line := range treatments(withNeighbours(nil, o)[0], true) {
		if line.Fields[".spec.owner"] != nil {
			at[string(line.Via[0])] = line.At[0]
		}
	}
	assert.Equal(t, map[string]string{"new": StageNew, "old": StageRolledBack}, at)
}

// TestStatusGone: an object of a kind whose status subresource goes has it written through the release
// that lacks it; of a subresource that is not played nothing is written.
func TestStatusGone(t *testing.T) {
	d := diff.Difference{Difference: term.SubresourceGone, Group: "example.dev", Version: "v1", Kind: "Thing", Name: "status", Playable: true}
	o := Object{Target: Targets(rowsOf(d), term.DefaultLap, Options{})[0]}
	assert.Equal(t, ".status", o.Target.Path)
	o.Specimen.Held, o.Specimen.Subresource, o.Specimen.Object = ".status", term.StatusPart, map[string]any{"status": map[string]any{"phase": "sample"}}
	assert.True(t, slices.ContainsFunc(treatments(o, true), func(l scenarios.Line) bool {
		return l.Subresource == term.StatusPart && l.Via[0] == "new" && l.At[0] == StageNew && l.Fields[".status.phase"] == "sample"
	}))
	d.Name, d.Playable = "exec", false
	assert.Empty(t, Targets(rowsOf(d), term.DefaultLap, Options{}))
}
