package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

type object = map[string]any

// TestTakerOf: a status in a create is worth playing if one release alone shows what was sent. Near twins: both
// drop it, both take it, both fill in another one, and one refuses the object.
func TestTakerOf(t *testing.T) {
	sent := object{"conditions": []any{object{"type": "Ready"}}, "phase": "Active"}
	shows := func(status object) try.Reply {
		return try.Reply{Shown: object{"kind": "Thing", "status": status}}
	}
	for name, c := range map[string]struct {
		older, newer try.Reply
		want         term.Role
	}{
		"the new one drops it":       {shows(sent), shows(nil), term.Old},
		"the old one drops it":       {shows(nil), shows(sent), term.New},
		"the new one drops a member": {shows(sent), shows(object{"phase": "Active"}), term.Old},
		"both drop it":               {shows(nil), shows(object{}), ""},
		"both take it":               {shows(sent), shows(sent), ""},
		"both fill in another one":   {shows(object{"phase": "Pending"}), shows(object{"phase": "New"}), ""},
		"the new one adds a default": {shows(sent), shows(object{"conditions": []any{object{"type": "Ready", "reason": "None"}}, "phase": "Active"}), ""},
		"the new one cuts a list":    {shows(sent), shows(object{"conditions": []any{}, "phase": "Active"}), term.Old},
		"one refuses the object":     {shows(sent), try.Reply{Refusal: "no"}, ""},
	} {
		assert.Equal(t, c.want, takerOf(sent, c.older, c.newer), name)
	}
	assert.Empty(t, takerOf(nil, shows(sent), shows(nil)))
}

// TestStatusRow: a status that one release takes from a create is the row of the one gate that the kind's code uses.
// Without such a gate, and with two, it is a row of its own.
func TestStatusRow(t *testing.T) {
	gate := func(name, group, kind string) sweep.Row {
		d := diff.Difference{Difference: term.GateAdded, Name: name, UsedBy: []diff.Place{{APIVersion: group + "/v1", Kind: kind}}}
		return sweep.Row{ID: name, Difference: d}
	}
	of := sweep.Object{Target: sweep.Target{Target: try.Target{APIVersion: "example.dev/v1beta1", Kind: "Thing", Path: ".status"}}}
	other, otherGroup := gate("Other", "example.dev", "Gadget"), gate("OtherGroup", "example.com", "Thing")
	for name, c := range map[string]struct {
		rows []sweep.Row
		want string
	}{
		"one gate":          {[]sweep.Row{other, gate("Wiping", "example.dev", "Thing")}, "Wiping"},
		"two gates":         {[]sweep.Row{gate("Wiping", "example.dev", "Thing"), gate("More", "example.dev", "Thing")}, ""},
		"of another kind":   {[]sweep.Row{other, otherGroup}, ""},
		"no gate of a kind": {nil, ""},
	} {
		row, isNew := lapRun{session: &session{}, rows: c.rows}.statusRow(of, term.Old)
		assert.Equal(t, c.want == "", isNew, name)
		assert.True(t, row.Playable, name)
		assert.Equal(t, []diff.Place{{APIVersion: "example.dev/v1beta1", Kind: "Thing", Path: ".status"}}, row.Places, name)
		if !isNew {
			assert.Equal(t, c.want, row.ID, name)
			assert.Empty(t, c.rows[1].Places, "the rows that other laps read stay as they are")
			continue
		}
		assert.Equal(t, term.BehaviourChanged, row.Difference.Difference, name)
		assert.Equal(t, "a create stores it", row.Old, name)
	}
}

// TestStatusKinds: the kinds of baselines and of gates, where both releases store a status of its own.
func TestStatusKinds(t *testing.T) {
	resource := func(kind string, subresources ...string) published.Resource {
		return published.Resource{APIVersion: "v1", Kind: kind, Verbs: []string{"create", "get"}, Subresources: subresources}
	}
	old := published.Release{Resources: []published.Resource{resource("Base", "status"), resource("Gated", "status"), resource("Late"), resource("Plain")}}
	newer := published.Release{Resources: []published.Resource{resource("Base", "status"), resource("Gated", "status"), resource("Late", "status"), resource("Plain")}}
	baseline := func(kind string) sweep.Object {
		return sweep.Object{Target: sweep.Target{Target: try.Target{APIVersion: "v1", Kind: kind}}}
	}
	ofRow := baseline("Gated")
	ofRow.Target.Rows = []string{"row"}
	s := lapRun{session: &session{}, at: lapServers{term.Old: &asked{Release: old}, term.New: &asked{Release: newer}}}
	assert.Equal(t, []sweep.Kind{{APIVersion: "v1", Kind: "Base"}}, s.statusKinds([]sweep.Object{baseline("Base"), baseline("Base"), baseline("Late"), baseline("Plain"), ofRow}))
	s.rows = []sweep.Row{{Difference: diff.Difference{UsedBy: []diff.Place{{APIVersion: "v1", Kind: "Gated"}, {APIVersion: "v1", Kind: "Gone"}}}}}
	assert.Equal(t, []sweep.Kind{{APIVersion: "v1", Kind: "Gated"}}, s.statusKinds(nil))
}

// TestWithShown: what two laps show of one kind is one row, and a row of the comparison that got an object
// replaces itself.
func TestWithShown(t *testing.T) {
	given := []sweep.Row{{ID: "a"}, {ID: "gate"}}
	shown := preparation{rows: []sweep.Row{{ID: "b"}}, playable: []sweep.Row{{ID: "gate", Difference: diff.Difference{Playable: true}}}}
	rows := withShown(withShown(given, shown), shown)
	require.Len(t, rows, 3)
	assert.True(t, rows[1].Playable)
	assert.False(t, given[1].Playable)
}
