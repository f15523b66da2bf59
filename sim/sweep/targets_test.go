package sweep

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// TestIDs: the ID of a row depends on the difference alone, not on its place in a comparison,
// nor on which path represents a type.
func TestIDs(t *testing.T) {
	d := comparison()
	ids := func(d diff.Result) (all []string) {
		for _, r := range differences(d, Scope{}) {
			all = append(all, r.ID)
		}
		slices.Sort(all)
		return all
	}
	want := ids(d)
	assert.Len(t, slices.Compact(slices.Clone(want)), len(d.Differences))
	slices.Reverse(d.Differences)
	for i := range d.Differences {
		if d.Differences[i].Type != "" {
			d.Differences[i].Kind = "Other"
		}
	}
	assert.Equal(t, want, ids(d))
}

// TestKeyless: a list that becomes a map by a key which elements could lack has an object with such an element; one
// whose elements had the key before has none.
func TestKeyless(t *testing.T) {
	place := func(path string) []diff.Place { return []diff.Place{{APIVersion: "v1", Kind: "Thing", Path: path}} }
	list := diff.Difference{Difference: term.ListChanged, Version: "v1", Kind: "Thing", Path: ".spec.hosts", New: "map by ip", Places: place(".spec.hosts"), Playable: true}
	required := diff.Difference{Difference: term.RequiredAdded, Version: "v1", Kind: "Thing", Path: ".spec.hosts[].ip", Places: place(".spec.hosts[].ip"), Playable: true}
	other := required
	other.Path, other.Places = ".spec.ports[].ip", place(".spec.ports[].ip")
	keyless := func(all ...diff.Difference) (rows []string) {
		own := differences(diff.Result{Differences: all}, Scope{})
		for _, target := range Targets(own, term.DefaultLap, Options{Scope: Scope{Whole: all}}) {
			if target.Path == ".spec.hosts[]" && target.Without == "ip" {
				assert.Equal(t, []any{term.Old, true}, []any{target.Release, target.Beside})
				rows = append(rows, target.Rows...)
			}
		}
		return rows
	}
	assert.Len(t, keyless(list, required), 2, "one object is for both rows")
	assert.Empty(t, keyless(list, other))
	atomic := list
	atomic.Old, atomic.New = list.New, "atomic"
	assert.Len(t, keyless(atomic, required), 1)
}

// TestAllPaths: with all paths each place of a field has a row, and without them the first
// represents the others; a gate's fields are each played.
func TestAllPaths(t *testing.T) {
	places := []diff.Place{{APIVersion: "v1", Kind: "Pod", Path: ".spec.a"}, {APIVersion: "apps/v1", Kind: "Set", Path: ".spec.template.spec.a"}}
	field := diff.Difference{Difference: term.FieldAdded, Version: "v1", Kind: "Pod", Type: "PodSpec", Path: ".spec.a", Places: places, Playable: true}
	d := diff.Result{Differences: []diff.Difference{field}}
	for all, count := range map[bool]int{false: 1, true: 2} {
		rows := differences(d, Scope{AllPaths: all})
		assert.Len(t, rows, count)
		assert.Len(t, treated(Targets(rows, term.DefaultLap, Options{})), count)
	}
	other := diff.Place{APIVersion: "v1", Kind: "Pod", Path: ".spec.b"}
	gate := diff.Difference{Difference: term.GateChanged, Name: "G", Places: append(places, other), Playable: true}
	rows := differences(diff.Result{Differences: []diff.Difference{field, gate}}, Scope{AllPaths: true})
	targets := treated(Targets(rows[2:], term.DefaultLap, Options{}))
	require.Len(t, targets, 2, "the same field at two paths is played once")
	shared := treated(Targets(rows, term.DefaultLap, Options{}))
	assert.Len(t, shared, 3, "the field's row and the gate's share an object")
	assert.Len(t, shared[0].Rows, 2)
}

// differences are the rows of the part of a comparison that is in a scope.
func differences(d diff.Result, s Scope) []Row {
	_, parts, err := s.Over(d)
	if err != nil {
		panic(err)
	}
	return Differences(parts)
}

func treated(all []Target) []Target {
	return slices.DeleteFunc(slices.Clone(all), func(t Target) bool { return t.Form != term.Treated })
}

// TestLaps: a field behind a gate that is off is in the lap with gates alone, if a trusted
// source says so, and a field without a gate in the default lap alone.
func TestLaps(t *testing.T) {
	off := diff.Gate{Name: "G", Source: term.FromTag, New: &diff.GateState{Stage: "ALPHA"}}
	guess := off
	guess.Source = term.FromName
	field := func(gates ...diff.Gate) diff.Result {
		return diff.Result{Differences: []diff.Difference{{Difference: term.FieldAdded, Version: "v1", Kind: "Pod", Path: ".spec.a", Gates: gates, Playable: true}}}
	}
	for name, c := range map[string]struct {
		d            diff.Result
		plain, gates bool
	}{
		"no gate": {field(), true, false},
		"off":     {field(off), false, true},
		"a guess": {field(guess), true, true},
	} {
		rows := differences(c.d, Scope{})
		assert.Equal(t, c.plain, len(Targets(rows, term.DefaultLap, Options{})) > 0, name)
		assert.Equal(t, c.gates, len(Targets(rows, term.GatesLap, Options{})) > 0, name)
		assert.NotEmpty(t, Targets(rows, term.GatesLap, Options{Again: []string{rows[0].ID}}), name)
	}
}

// TestShards: each row is in one shard.
func TestShards(t *testing.T) {
	const shards = 3
	for _, r := range differences(comparison(), Scope{}) {
		in := 0
		for i := 1; i <= shards; i++ {
			if slices.ContainsFunc(differences(comparison(), Scope{Shard: i, Shards: shards}), func(s Row) bool { return s.ID == r.ID }) {
				in++
			}
		}
		assert.Equal(t, 1, in, r.ID)
	}
}

// TestApart: a kind that is stored in a version which only one release serves is played apart, in
// all its versions, and a kind whose new version is not stored is not.
func TestApart(t *testing.T) {
	d := func(k term.DifferenceKind, kind, version, old, new string) diff.Difference {
		return diff.Difference{Difference: k, Group: "g", Version: version, Kind: kind, Old: old, New: new, Playable: true}
	}
	compared := diff.Result{Differences: []diff.Difference{
		d(term.VersionAdded, "Stored", "v2", "", ""), d(term.StorageChanged, "Stored", "v1", "g/v1", "g/v2"),
		d(term.VersionAdded, "Served", "v2", "", ""), d(term.StorageChanged, "Known", "v1", "g/v0", "g/v1"),
	}}
	rows := differences(compared, Scope{})
	for _, target := range Targets(rows, term.GatesLap, Options{Scope: Scope{Whole: compared.Differences}, Again: []string{rows[1].ID, rows[3].ID}}) {
		assert.Equal(t, target.Kind == "Stored", target.Apart, target.Kind+" "+target.APIVersion)
	}
}

// TestNameForms: copies keep the form of a name that a kind may ask for.
func TestNameForms(t *testing.T) {
	for name, want := range map[string]string{
		"plain": "plain", "example.com:signer:x": "example.com:signer:$(copy.name)", "2001:db8::1": "$(copy.ip)", "10.0.0.1": "$(copy.ip)", "a:$(copy.name)": "a:$(copy.name)",
	} {
		body := map[string]any{"metadata": map[string]any{"name": name}}
		assert.Equal(t, want, NameIn(WithNameForm(body)))
	}
	repeated := WithNameForm(map[string]any{"metadata": map[string]any{"name": "things.example.dev"}, "spec": map[string]any{"plural": "things", "kind": "Thing"}})
	assert.Equal(t, "$(copy.name).example.dev", NameIn(repeated))
	assert.Equal(t, map[string]any{"plural": "$(copy.name)", "kind": "Thing"}, repeated["spec"])
	again, name := objects.NamingOf(map[string]any{"metadata": map[string]any{"name": "things.example.dev"}, "spec": map[string]any{"plural": "things"}}).Name(repeated, "other")
	assert.Equal(t, "other.example.dev", name)
	assert.Equal(t, "other", again["spec"].(map[string]any)["plural"], "an object that was named so before")
}

// TestEnumBeside: an object with a value that goes has further fields, so that one beside it can change;
// one with a value that comes needs them in a list, which servers compare whole, and else none.
func TestEnumBeside(t *testing.T) {
	for _, c := range []struct {
		kind term.DifferenceKind
		path string
		want bool
	}{
		{term.EnumValueRemoved, ".spec.mode", true}, {term.EnumValueRemoved, ".spec.modes[]", true}, {term.EnumValueAdded, ".spec.mode", false},
		{term.EnumValueAdded, ".spec.modes[]", true}, {term.EnumValueAdded, ".spec.jobs[].mode", true},
	} {
		rows := rowsOf(diff.Difference{Difference: c.kind, Group: "example.dev", Version: "v1", Kind: "Thing", Path: c.path, Name: "B", Playable: true})
		for _, target := range Targets(rows, term.DefaultLap, Options{}) {
			if !target.Baseline() {
				assert.Equal(t, c.want, target.Filled, c)
				assert.Equal(t, c.want, target.Beside, c)
				assert.Equal(t, "B", target.Value)
			}
		}
	}
}

// TestEnumBehindGate: the objects of an enum value that is behind a gate are those of the gate: any
// other value of the field does not use it. A field behind a gate needs any value.
func TestEnumBehindGate(t *testing.T) {
	gates := []diff.Gate{{Name: "G", New: &diff.GateState{Stage: "ALPHA"}}}
	place := diff.Place{APIVersion: "v1", Kind: "Thing", Path: ".spec.type"}
	other := diff.Place{APIVersion: "v1", Kind: "Thing", Path: ".spec.field"}
	value := diff.Difference{Difference: term.EnumValueAdded, Version: "v1", Kind: "Thing", Path: place.Path, Name: "B", Gates: gates, Places: []diff.Place{place}, Playable: true}
	gate := diff.Difference{Difference: term.GateAdded, Name: "G", Gates: gates, Places: []diff.Place{place, other}, Playable: true}
	rows := differences(diff.Result{Differences: []diff.Difference{value, gate}}, Scope{})
	values := map[string]any{}
	for _, target := range treated(Targets(rows, term.GatesLap, Options{Scope: Scope{Whole: []diff.Difference{value, gate}}})) {
		values[target.Path] = target.Value
		assert.Contains(t, target.Rows, rows[1].ID)
		assert.Equal(t, target.Path == place.Path, slices.Contains(target.Rows, rows[0].ID))
	}
	assert.Equal(t, map[string]any{place.Path: "B", other.Path: nil}, values)
}

// TestUnkeptField: a new field that only a version has in which nothing is stored is played although no
// server keeps it. One that the stored version has is not asked for in that way.
func TestUnkeptField(t *testing.T) {
	d := diff.Difference{Difference: term.FieldAdded, Group: "example.dev", Version: "v1beta1", Kind: "Thing", Path: ".spec.extra", Playable: true}
	d.Places = []diff.Place{{APIVersion: "example.dev/v1beta1", Kind: "Thing", Path: d.Path}}
	row := Row{ID: "extra", Difference: d, Reachable: true}
	for _, fields := range [][]string{{".spec.extra"}, {".spec.other"}} {
		unstored := map[Kind][]string{{APIVersion: "example.dev/v1beta1", Kind: "Thing"}: fields}
		some := false
		for _, target := range Targets([]Row{row}, term.DefaultLap, Options{Unstored: unstored}) {
			some = some || target.Unkept
		}
		assert.Equal(t, fields[0] == d.Path, some, fields)
	}
}

// TestColliding: beside a field that a release fills in, an object has another member of its struct, and not the
// field. One whose member is written to a subresource is no object of its own.
func TestColliding(t *testing.T) {
	row := ofThing(term.DefaultChanged, ".spec.src.a", "", "", "std")
	lacking := Targets([]Row{row}, term.DefaultLap, Options{})[0]
	require.Equal(t, "a", lacking.Without)
	s := try.Specimen{Held: ".spec.src.b", Object: map[string]any{"spec": map[string]any{"src": map[string]any{"a": "x", "b": "y"}}}}
	o, can := Colliding(lacking, s)
	require.True(t, can)
	assert.Equal(t, map[string]any{"src": map[string]any{"b": "y"}}, o.Specimen.Object["spec"])
	assert.Equal(t, []any{".spec.src", true, []string{row.ID}, term.Old}, []any{o.Specimen.Held, o.Target.Beside, o.Target.Rows, o.Target.Release})
	assert.NotEqual(t, lacking.ID, o.Target.ID)
	assert.Contains(t, s.Object["spec"].(map[string]any)["src"], "a", "the specimen stays")
	s.Subresource = term.StatusPart
	_, can = Colliding(lacking, s)
	assert.False(t, can)
}
