package checks

import (
	"net/http"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// The class of a refusal depends only on what the call asks for: not on the stage, the client, or
// the cause. A call that itself sends a value of the change may be refused by a server without
// the change. A call that leaves the value unchanged must not be. docs/reference/checks.md states the rule.

// refusedForm returns the expectation if a server refuses a call that itself sends a value which
// the server lacks: because its release does not have the field, or does not take the value
// (rule-3), or because a gate is off there (lifecycle). It returns false if the call is about
// something else, or if the server objects to something else.
func refusedForm(ev *trace.Evidence, tl *trace.Timeline, act history.Operation) (class term.Class, rule term.Rule, gates []schema.Guard, is bool) {
	if act.Purpose != history.Act || !isInvalid(act.Exchange) || !trace.UsesChangeAt(ev.Calls, tl, act.Step) {
		return "", "", nil, false
	}
	gated, lacking, only := false, false, onlyGatesDiffer(ev)
	complaints := complaintsOf(ev, tl, act)
	for _, leaf := range objectedTo(complaints, offeredForm(ev, tl, act)) {
		off := append(blame.GatesOff(ev, tl, act.Role, leaf.Path), blame.ValueGatesOff(ev, tl, act.Role, leaf)...)
		gates = append(gates, off...)
		switch {
		case len(off) > 0:
			gated = true
		case ev.LacksChange(act.Role) && lacksForm(ev, tl, act.Role, leaf, complaints):
			gated, lacking = gated || only, lacking || !only
		case blame.Clears(ev, tl, act.Role, leaf):
			gated = true
		case ev.LacksChange(act.Role) && trace.OnlyTreatedHave(ev, tl, leaf):
			gated, lacking = gated || only, lacking || !only
		}
	}
	switch {
	case lacking:
		return term.Impact, term.Rule3, nil, true
	case gated:
		return term.Impact, term.RuleLifecycle, gates, true
	}
	return "", "", nil, false
}

// isInvalid reports whether an answer refuses the body that was sent: 422, or 400 with strict
// field validation.
func isInvalid(x history.Exchange) bool {
	return x.Code == http.StatusUnprocessableEntity || x.Code == http.StatusBadRequest
}

// lacksForm reports whether the server's release does not have a value: its field, or the value
// itself, according to the release's schema or to the server's message.
func lacksForm(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf, complaints []complaint) bool {
	if !ev.Declares(role, tl, leaf.Path) || !blame.Accepts(ev, tl, role, leaf) {
		return true
	}
	return slices.ContainsFunc(complaints, func(c complaint) bool { return c.reason == blame.NotSupported && c.isAbout(leaf) })
}

// asRefused sets the class and the rule of refusedForm in a finding about a refused call, if it
// applies, and adds the gates that are off.
func asRefused(ev *trace.Evidence, tl *trace.Timeline, act history.Operation, f *result.Finding) {
	class, rule, gates, is := refusedForm(ev, tl, act)
	if !is || f.Outcome != term.Refused {
		return
	}
	f.Class, f.Rule, f.Gates = class, rule, blame.GatesOf(gates)
}

// onlyGatesDiffer reports whether both releases have one version, so that the change is what
// gates switch.
func onlyGatesDiffer(ev *trace.Evidence) bool {
	old, new := ev.History.Releases[term.Old], ev.History.Releases[term.New]
	return old.Version == new.Version && (blame.GatesDiffer(ev, term.Old) || blame.GatesDiffer(ev, term.New))
}

// offeredForm returns the values that a call itself sends: the whole body if the call creates or
// applies, else what its change names. Values that a client carries back from a read do not
// count.
func offeredForm(ev *trace.Evidence, tl *trace.Timeline, act history.Operation) []schema.Leaf {
	step := ev.Steps[act.Step].Step
	names := trace.NamedPaths(tl.Manifest.Kind, step)
	whole := step.CreatesCopy() || step.Verb.Creates()
	sent, told := trace.About(ev.Trace, tl, act)
	if !told { // only the paths are known
		for _, p := range names {
			sent = append(sent, schema.Leaf{Path: p})
		}
	}
	return slices.DeleteFunc(sent, func(leaf schema.Leaf) bool {
		isNamed := slices.ContainsFunc(names, func(p fieldpath.Path) bool { return path.Contains(p, leaf.Path) })
		return told && (leaf.Semantic == schema.Empty || leaf.Value == nil) || !whole && !isNamed
	})
}

// objectedTo returns the values that a refusal is about: those at the places that the server
// names, or all if it names none.
func objectedTo(complaints []complaint, leaves []schema.Leaf) []schema.Leaf {
	if len(complaints) == 0 {
		return leaves
	}
	return slices.DeleteFunc(slices.Clone(leaves), func(leaf schema.Leaf) bool {
		return !slices.ContainsFunc(complaints, func(c complaint) bool { return c.isAbout(leaf) })
	})
}

// complaint is an objection of a server, with the paths of the field that it names.
type complaint struct {
	reason string
	places []fieldpath.Path
}

// complaintsOf returns the objections of a refusal. The objects that a name is looked up in are
// read here, once for each refusal and not once for each value that the call sends.
func complaintsOf(ev *trace.Evidence, tl *trace.Timeline, act history.Operation) []complaint {
	fields := blame.FieldsNamed(ev, act.Exchange)
	if len(fields) == 0 {
		return nil
	}
	objects := blame.ObjectsMeant(ev, tl, act)
	var all []complaint
	for _, o := range fields {
		c := complaint{reason: o.Reason}
		for _, object := range objects {
			if at, _, found := tl.Kind.Named(object, o.Name); found {
				c.places = append(c.places, at)
			}
		}
		all = append(all, c)
	}
	return all
}

// isAbout reports whether an objection names the path of a value, or one above or below it.
func (c complaint) isAbout(leaf schema.Leaf) bool {
	return slices.ContainsFunc(c.places, func(at fieldpath.Path) bool {
		return path.Contains(at, leaf.Path) || path.Contains(leaf.Path, at)
	})
}
