package chain

import (
	"maps"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/schema"
)

// ends is how a leg left its copies.
type ends struct {
	exists map[string]bool
	shown  map[string]string                  // digest of what the last LIST showed, by copy
	role   term.Role                          // the release that the leg ended at
	fields map[string]map[string]term.Outcome // of what stands, by copy and path
}

// endsOf reads how the leg left its copies: those that it made or adopted, but
// for those that it deleted. A delete that nobody refused may have come to pass.
func endsOf(leg Leg) ends {
	e := ends{exists: map[string]bool{}, shown: map[string]string{}, fields: map[string]map[string]term.Outcome{}}
	steps := stepsOf(leg.History.Header.Plan)
	for _, op := range leg.History.Operations {
		step := steps[op.Step].step
		switch {
		case op.Purpose != history.Act:
		case step.Birth && op.Exchange.Succeeded():
			e.exists[op.Copy] = true
		case step.Verb.Deletes() && !refused(op.Exchange):
			delete(e.exists, op.Copy)
		}
	}
	e.role = lastRole(leg.Back)
	made := apiVersions(leg.History.Header.Plan)
	for _, l := range leg.History.Listings {
		if l.Form != term.ConsistentList || l.Role != e.role || l.FieldSelector != "" {
			continue
		}
		for _, item := range l.Items {
			if made[item.Copy] == l.APIVersion {
				e.shown[item.Copy] = item.Answer
			}
		}
	}
	for _, c := range leg.Ledger.Copies {
		states := map[string]term.Outcome{}
		for _, f := range c.Fields {
			if f.Step > 0 {
				states[f.Path] = f.Outcome
			}
		}
		maps.DeleteFunc(states, func(_ string, s term.Outcome) bool { return !stands(s) })
		e.fields[c.Copy] = states
	}
	return e
}

// apiVersions are the versions that copies were made in, by copy: what a LIST in
// another one shows of them has other paths.
func apiVersions(p plan.Plan) map[string]string {
	all := map[string]string{}
	for _, c := range p.Copies {
		all[c.Name] = p.Manifests[c.Manifest].APIVersion
	}
	return all
}

// refused reports whether the answer says that the object is unchanged. An error of the
// server's own does not say so.
func refused(x history.Exchange) bool {
	return x.Code >= http.StatusBadRequest && x.Code < http.StatusInternalServerError && x.Code != http.StatusNotFound
}

// stands reports whether a value with that final state is still the client's.
func stands(s term.Outcome) bool {
	return slices.Contains([]term.Outcome{term.Kept, term.Hidden, term.Indeterminate, term.Resurrected}, s)
}

// lastRole is the release that a leg ends at, firstRole the one it begins at.
func lastRole(back bool) term.Role {
	if back {
		return term.Old
	}
	return term.New
}

func firstRole(back bool) term.Role { return lastRole(!back) }

// values are what clients hold acknowledged of a copy, as the last LIST showed it;
// unseen those that this LIST should have shown, and did not: kept, in a place that
// the release has. The salt is the chain's, so that a Secret's fingerprints are
// those that the next leg is held against.
func (e ends) values(leg Leg, c plan.Copy, salt string) (all map[string]string, unseen map[string]bool) {
	kind, _ := leg.kind(e.role, c)
	shown := leg.leaves(e.role, c, e.shown[c.Name], salt)
	all, unseen = map[string]string{}, map[string]bool{}
	for at, state := range e.fields[c.Name] {
		name := leg.masked(c, at, salt)
		leaf, is := shown[name]
		all[at] = leaf.Semantic
		if !is && state == term.Kept && kind.Declares(parsed(at)) && !filled(shown, name) {
			unseen[name] = true
		}
	}
	return all, unseen
}

// filled reports whether an answer shows something below a path: a client sent an empty value
// there, and servers have filled it.
func filled(shown schema.Leaves, at string) bool {
	above := parsed(at)
	for name, leaf := range shown {
		if name != at && path.Contains(above, leaf.Path) {
			return true
		}
	}
	return false
}

// leaves are a copy's values in an answer of the leg's; none where it is no
// object. Those that are confidential are fingerprints.
func (l Leg) leaves(role term.Role, c plan.Copy, answer, salt string) schema.Leaves {
	object := l.History.Object(answer)
	kind, ok := l.kind(role, c)
	if object == nil || !ok {
		return nil
	}
	return kind.Leaves(l.policy().Redact(object, salt))
}

// policy is what of the leg nobody may read.
func (l Leg) policy() redact.Policy { return redact.For(l.History.Header.Plan.Confidential) }

// masked is a path as leaves names it: one that holds a confidential value itself
// has its fingerprint instead.
func (l Leg) masked(c plan.Copy, at, salt string) string {
	return l.policy().Path(l.History.Header.Plan.Manifests[c.Manifest].Kind, at, salt)
}

func (l Leg) kind(role term.Role, c plan.Copy) (schema.Kind, bool) {
	m := l.History.Header.Plan.Manifests[c.Manifest]
	return l.Schemas[role].Kind(m.APIVersion, m.Kind)
}

// place is a step with the index of its stage.
type place struct {
	step  plan.Step
	stage int
}

func stepsOf(p plan.Plan) map[int]place {
	all := map[int]place{}
	for i, stage := range p.Stages {
		for _, s := range stage.Steps {
			all[s.Number] = place{s, i}
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
