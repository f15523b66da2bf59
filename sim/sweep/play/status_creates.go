package play

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Servers usually drop a status that a create sends. That is a habit of each kind, which no document publishes, and
// which a release or a gate can begin or end. So servers are asked.

const statusPath = "." + term.StatusPart

// tryStatuses creates an object with a status of each kind that has the status as a subresource, as dry runs. For
// a kind of which one release alone takes the status, there is an object, and the row of the gate that the kind's
// code uses; a row of its own if there are several gates, or none. Definitions are left out: whatever they declare,
// the servers drop the status.
func (s lapRun) tryStatuses(ctx context.Context, objects []sweep.Object, m *preparation) error {
	if s.builds[term.New].Installs != nil {
		return nil
	}
	var targets []sweep.Target
	for _, k := range s.statusKinds(objects) {
		targets = append(targets, sweep.Target{Release: term.Old, Form: term.Bystander, Target: try.Target{APIVersion: k.APIVersion, Kind: k.Kind, Path: statusPath}})
	}
	if err := s.reach(ctx, targets, m.specimens); err != nil {
		return err
	}
	var all []sweep.Object
	for _, o := range objectsOf(targets, m.specimens) {
		o.Specimen.Subresource = "" // it is sent with the object
		if status, _ := o.Specimen.Object[term.StatusPart].(map[string]any); len(status) > 0 {
			all = append(all, o)
		}
	}
	replies := map[term.Role][]try.Reply{}
	for role := range s.at {
		var err error
		if replies[role], err = try.Offered(ctx, s.exerciserOf(role), offers(pointers(all)), term.Ignore); err != nil {
			return err
		}
	}
	for i, o := range all {
		taker := takerOf(o.Specimen.Object[term.StatusPart], replies[term.Old][i], replies[term.New][i])
		if taker == "" {
			continue
		}
		o.Target.Release = taker
		o.Target.ID = sweep.ObjectName(o.Target.Kind, term.StatusPart+"-sent", o.Target.APIVersion)
		switch row, isNew := s.statusRow(o, taker); {
		case !isNew:
			m.playable = append(m.playable, row)
			o.Target.Rows = []string{row.ID}
		case s.scope.HasUnexplained(o.Target.APIVersion, o.Target.Kind):
			m.rows = append(m.rows, row)
			o.Target.Rows = []string{row.ID}
		default:
			continue
		}
		m.differing = append(m.differing, o)
	}
	return nil
}

// statusKinds returns the kinds of the baselines, and of the gates that are selected, which both releases store with
// a status of its own.
func (s lapRun) statusKinds(objects []sweep.Object) (all []sweep.Kind) {
	add := func(apiVersion, kind string) {
		k := sweep.Kind{APIVersion: apiVersion, Kind: kind}
		if !slices.Contains(all, k) && hasStatus(s.at[term.Old].Resources, k) && hasStatus(s.at[term.New].Resources, k) {
			all = append(all, k)
		}
	}
	for _, o := range objects {
		if o.Target.Baseline() {
			add(o.Target.APIVersion, o.Target.Kind)
		}
	}
	for _, r := range s.rows {
		for _, p := range r.UsedBy {
			add(p.APIVersion, p.Kind)
		}
	}
	return all
}

func hasStatus(all []published.Resource, k sweep.Kind) bool {
	return slices.ContainsFunc(all, func(r published.Resource) bool {
		return r.APIVersion == k.APIVersion && r.Kind == k.Kind && r.IsCreatable() && slices.Contains(r.Subresources, term.StatusPart)
	})
}

// takerOf returns the release that alone shows a member of a status after a create that sent it; "": none.
func takerOf(status any, older, newer try.Reply) term.Role {
	sent, _ := status.(map[string]any)
	ofOld, _ := older.Shown[term.StatusPart].(map[string]any)
	ofNew, _ := newer.Shown[term.StatusPart].(map[string]any)
	if older.Shown == nil || newer.Shown == nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		isOld, isNew := isWithin(sent[name], ofOld[name]), isWithin(sent[name], ofNew[name])
		switch {
		case isOld && !isNew:
			return term.Old
		case isNew && !isOld:
			return term.New
		}
	}
	return ""
}

// isWithin reports whether a server shows a value that was sent, whatever it adds to objects in it, such as defaults.
func isWithin(sent, shown any) bool {
	switch sent := sent.(type) {
	case map[string]any:
		in, is := shown.(map[string]any)
		for name, value := range sent {
			is = is && isWithin(value, in[name])
		}
		return is
	case []any:
		in, is := shown.([]any)
		return is && slices.EqualFunc(sent, in, isWithin)
	}
	return reflect.DeepEqual(sent, shown)
}

// statusRow returns the row of a status that only one release takes from a create, and whether it is a new one.
func (s lapRun) statusRow(o sweep.Object, taker term.Role) (row sweep.Row, isNew bool) {
	place := diff.Place{APIVersion: o.Target.APIVersion, Kind: o.Target.Kind, Path: statusPath}
	var gates []sweep.Row
	for _, r := range s.rows {
		if r.Difference.Difference.IsGate() && slices.ContainsFunc(r.UsedBy, func(p diff.Place) bool {
			group, _ := sweep.CutAPIVersion(place.APIVersion)
			own, _ := sweep.CutAPIVersion(p.APIVersion)
			return own == group && p.Kind == place.Kind
		}) {
			gates = append(gates, r)
		}
	}
	if len(gates) == 1 {
		gates[0].Playable, gates[0].Places = true, append(slices.Clone(gates[0].Places), place)
		return gates[0], false
	}
	texts := map[term.Role]string{taker: "a create stores it", taker.Other(): "a create drops it"}
	d := diff.Difference{Difference: term.BehaviourChanged, Kind: place.Kind, Path: statusPath, Name: "create", Playable: true, Places: []diff.Place{place}}
	d.Group, d.Version = sweep.CutAPIVersion(place.APIVersion)
	d.Old, d.New = texts[term.Old], texts[term.New]
	return sweep.Row{ID: sweep.RowID(d), Difference: d, Reachable: true}, true
}

func pointers(objects []sweep.Object) (all []*sweep.Object) {
	for i := range objects {
		all = append(all, &objects[i])
	}
	return all
}
