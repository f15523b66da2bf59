package sweep

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/result"
)

// TestLapsOfBehaviour: what a baseline shows in one lap explains nothing of what it shows in the next.
func TestLapsOfBehaviour(t *testing.T) {
	r := aRun()
	r.finding(theBaseline, result.Finding{Outcome: term.Frozen, Class: term.Violation, Via: term.New})
	e := EvidenceOf(&r.plan, r.result, r.ledger)
	r.result.Findings[0].Outcome = term.Undecodable
	gates := EvidenceOf(&r.plan, r.result, r.ledger)
	rows := Rows(r.rows, []Lap{{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{e}}, {Lap: term.GatesLap, Objects: r.objects, Evidence: []Evidence{gates}}})
	laps := map[term.Effect]term.Lap{}
	for _, row := range rows {
		if row.Difference.Difference == term.BehaviourChanged {
			laps[row.Effect] = row.Lap
		}
	}
	assert.Equal(t, map[term.Effect]term.Lap{term.Frozen.Effect(): term.DefaultLap, term.Undecodable.Effect(): term.GatesLap}, laps)
}

// TestGenerationOfAKind: that a release does not count the changes of a kind's spec is a row of its own,
// whichever object shows it, and nothing of the difference that the object is for.
func TestGenerationOfAKind(t *testing.T) {
	r := aRun()
	r.finding(theObject, result.Finding{Path: ".metadata.generation", Outcome: term.Varies, Class: term.Impact, Rule: term.Rule2, Via: term.Old, Generation: term.Unmoved})
	rows := r.judged()
	require.Len(t, rows, 2)
	assert.Equal(t, term.BehaviourChanged, rows[0].Difference.Difference)
	assert.Equal(t, ".metadata.generation", rows[0].Path)
	assert.Equal(t, r.objects[theObject].Target.ID, rows[0].Object)
	assert.Equal(t, term.Kept.Effect(), rows[1].Effect)
	assert.Empty(t, rows[1].Notes)
}

// TestRuleOfBaselines: what baselines show of a rule of the whole object is the rule's row, where dry runs
// show less. A rule of another kind's objects has none of it.
func TestRuleOfBaselines(t *testing.T) {
	r := aRun()
	r.finding(theBaseline, result.Finding{Outcome: term.Frozen, Class: term.Violation, Via: term.New})
	of := r.objects[theBaseline].Target
	row := func(kind string) Row {
		d := diff.Difference{Difference: term.RuleTightened, Kind: kind, Playable: true}
		d.Group, d.Version = CutAPIVersion(of.APIVersion)
		return Row{ID: kind, Difference: d}
	}
	lap := Lap{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{EvidenceOf(&r.plan, r.result, r.ledger)}}
	lap.Rules = map[string]try.Result{of.Kind: {Sent: 1, BothAccept: 1}, "Another": {Sent: 1, BothAccept: 1}}
	verdicts, objects := map[string]term.Effect{}, map[string]string{}
	for _, shown := range Rows([]Row{row(of.Kind), row("Another")}, []Lap{lap}) {
		verdicts[shown.ID], objects[shown.ID] = shown.Effect, shown.Object
	}
	assert.Equal(t, of.ID, objects[of.Kind], "the object that shows it")
	assert.Empty(t, objects["Another"])
	assert.Equal(t, term.Frozen.Effect(), verdicts[of.Kind])
	assert.Equal(t, term.Kept.Effect(), verdicts["Another"])
}

// TestExplains: a difference explains findings at its own place: one that adds or removes a field, or types it
// anew, those within the field too, and one of the whole kind those about the whole object alone.
func TestExplains(t *testing.T) {
	var at Target
	at.APIVersion, at.Kind = "apps/v1", "Thing"
	for name, c := range map[string]struct {
		kind          term.DifferenceKind
		place, found  string
		another, want bool
	}{
		"the field":                   {term.DefaultChanged, ".spec.a", ".spec.a", false, true},
		"the field in a list":         {term.DefaultChanged, ".spec.a[].b", ".spec.a[0].b", false, true},
		"within a changed default":    {term.DefaultChanged, ".spec.a", ".spec.a.b", false, false},
		"an entry of a map":           {term.DefaultChanged, ".spec.a[].b", ".spec.a.sample.b", false, true},
		"within an added field":       {term.FieldAdded, ".spec.a", ".spec.a.b", false, true},
		"within a removed field":      {term.FieldRemoved, ".spec.a", ".spec.a.b", false, true},
		"within another type":         {term.TypeChanged, ".spec.a", ".spec.a.b", false, true},
		"within another tag":          {term.TagChanged, ".spec.a", ".spec.a.b", false, true},
		"within a gate's field":       {term.GateChanged, ".spec.a", ".spec.a.b", false, true},
		"a name that begins so":       {term.FieldAdded, ".spec.a", ".spec.ab", false, false},
		"around an added field":       {term.FieldAdded, ".spec.a.b", ".spec.a", false, false},
		"another kind's":              {term.FieldAdded, ".spec.a", ".spec.a", true, false},
		"the whole kind and object":   {term.RuleTightened, "", "", false, true},
		"the whole kind, and a field": {term.RuleTightened, "", ".spec.a", false, false},
		"a field, and the object":     {term.FieldAdded, ".spec.a", "", false, false},
	} {
		d := diff.Difference{Difference: c.kind, Places: []diff.Place{{APIVersion: "apps/v1", Kind: "Thing", Path: c.place}}}
		if c.another {
			d.Places[0].Kind = "Another"
		}
		assert.Equal(t, c.want, explains(d, at, result.Finding{Path: c.found}), name)
		d.Places[0].APIVersion = "apps/v1beta1"
		assert.False(t, explains(d, at, result.Finding{Path: c.found}), "%s, of another version", name)
	}
}

// TestExplainsWhatDefaultsFillIn: the default of a struct or list explains the members for which it has other values,
// and those for which it has none to fill in, since a release without the default has no struct there. What both defaults
// fill in alike, or leave alone, it explains not.
func TestExplainsWhatDefaultsFillIn(t *testing.T) {
	const conditions = `{"conditions":[{"type":"Accepted","reason":"Waiting"},{"type":"Ready"}]}`
	for name, c := range map[string]struct {
		old, new, found string
		want            bool
	}{
		"a member with another value":      {`{"a":"1","b":"1"}`, `{"a":"2","b":"1"}`, ".status.a", true},
		"a member with the same value":     {`{"a":"1","b":"1"}`, `{"a":"2","b":"1"}`, ".status.b", false},
		"a member that neither has":        {`{"a":"1","b":"1"}`, `{"a":"2","b":"1"}`, ".status.c", false},
		"a member that one has":            {`{"a":"1"}`, `{"a":"1","c":{"d":"1"}}`, ".status.c.d", true},
		"a member of elements":             {conditions, strings.ReplaceAll(conditions, "Waiting", "Pending"), `.status.conditions[type="Accepted"].reason`, true},
		"the same member of elements":      {conditions, strings.ReplaceAll(conditions, "Waiting", "Pending"), `.status.conditions[type="Accepted"].type`, false},
		"a list with more elements":        {`{"l":["a","b"]}`, `{"l":["a"]}`, ".status.l[1]", true},
		"no default before, and an empty":  {"", "{}", ".status.a", true},
		"a default that is no struct":      {`"1"`, `"2"`, ".status.a", true},
		"another field whose name is like": {`{"a":"1"}`, `{"a":"2"}`, ".statuses.a", false},
	} {
		d := diff.Difference{Difference: term.DefaultChanged, Old: c.old, New: c.new, Places: []diff.Place{{APIVersion: "apps/v1", Kind: "Thing", Path: ".status"}}}
		var at Target
		at.APIVersion, at.Kind = "apps/v1", "Thing"
		assert.Equal(t, c.want, explains(d, at, result.Finding{Path: c.found}), name)
	}
}

// TestDefaultOfBaselines: what baselines show of a default that fills in a struct is the row of the default, and no
// row of what nothing explains.
func TestDefaultOfBaselines(t *testing.T) {
	r := aRun()
	r.rows[theObject].Difference.Difference = term.DefaultChanged
	r.rows[theObject].Old, r.rows[theObject].New = `{"a":"1"}`, `{"a":"2"}`
	for _, at := range []string{valueRow + ".a", valueRow + ".b"} {
		r.finding(theBaseline, result.Finding{Path: at, Outcome: term.Changed, Cause: term.Defaulted, Class: term.Violation, Rule: term.Rule2, Via: term.New})
	}
	shown := map[string]term.DifferenceKind{}
	for _, row := range r.judged() {
		for _, c := range row.Cells {
			shown[c.Path] = row.Difference.Difference
		}
	}
	assert.Equal(t, term.DefaultChanged, shown[valueRow+".a"])
	assert.Equal(t, term.BehaviourChanged, shown[valueRow+".b"])
}

// TestBehaviourRow: what no difference explains is one row for each path and fate, with what it was and became at
// a place of its own.
func TestBehaviourRow(t *testing.T) {
	r := aRun()
	for _, before := range []string{"1", "2"} {
		r.finding(theBaseline, result.Finding{Path: ".spec.y", Outcome: term.Changed, Class: term.Violation, Via: term.New, Before: before, After: "3"})
	}
	r.finding(theBaseline, result.Finding{Path: ".spec.z", Outcome: term.Lost, Cause: term.UnknownField, Class: term.Impact, Via: term.Old, Before: "1"})
	of, rows := r.objects[theBaseline].Target, map[string]Row{}
	for _, row := range r.judged() {
		if row.Difference.Difference == term.BehaviourChanged {
			rows[row.Path] = row
		}
	}
	require.Len(t, rows, 2)
	y, z := rows[".spec.y"], rows[".spec.z"]
	assert.Len(t, y.Cells, 2, "both findings")
	assert.Equal(t, []diff.Place{{APIVersion: of.APIVersion, Kind: of.Kind, Path: ".spec.y"}}, y.Places)
	assert.Equal(t, of.APIVersion, GroupVersion(y.Group, y.Version))
	assert.Equal(t, []string{"1", "3"}, []string{y.Old, y.New})
	assert.Equal(t, []string{"1", string(term.Lost)}, []string{z.Old, z.New}, "of what is gone, that it is")
}
