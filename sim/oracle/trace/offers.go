package trace

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/schema"
)

// adopted returns the values that a copy of an earlier leg starts with: acknowledged values that
// the leg's first release serves. A value that it does not serve is not judged in this leg; the
// chain judges whether it should be there.
func adopted(tr *Trace, tl *Timeline, act history.Operation, step plan.Step) schema.Leaves {
	all := schema.Leaves{}
	for name, leaf := range tr.LeavesOf(tl, act.Exchange.Answer) {
		if slices.Contains(step.Adopts, name) {
			all[name] = leaf
		}
	}
	return all
}

// Offers returns the values that an operation is meant to set. For an apply, and for any call
// that creates an object, these are all values of the body.
func Offers(tr *Trace, tl *Timeline, act history.Operation, step plan.Step) schema.Leaves {
	switch {
	case step.Adoption():
		return adopted(tr, tl, act, step)
	case step.Verb.Applies() && step.Verb.AppliesManifest(), tr.Creates(act):
		sent := maps.Clone(tr.SentLeaves(tl, act))
		maps.Copy(sent, zerosLeftOut(tr, tl, act, sent))
		return sent
	case step.Change == nil, step.Verb.SendsOtherKind(): // of another kind: no client sent what the server makes of it
		return nil
	case step.Change.Kind == plan.Body:
		return offersOfBody(tr, tl, act, step)
	}
	all := atPlaces(tr, tl, act, LeavesIn(tl.Kind, WithoutWriteOnly(tl.Manifest.Kind, assigned(step))), step)
	if role, typed := act.Client.Role(); typed { // it did not send what its types lack
		sent := tr.SentLeaves(tl, act)
		maps.DeleteFunc(all, func(name string, leaf schema.Leaf) bool {
			if role == term.Older { // no schema of its types is published
				return sent[name].Semantic != leaf.Semantic
			}
			return !tr.TypesDeclare(role, tl, leaf.Path)
		})
	}
	return all
}

// offersOfBody returns the values of a body that the scenario gives: its members or, if it is a
// list of operations, the values that these set. If the object that they apply to is not known,
// it returns what the answer shows at the paths that the line names.
func offersOfBody(tr *Trace, tl *Timeline, act history.Operation, step plan.Step) schema.Leaves {
	if object := tr.History.Object(act.Exchange.Sent); object != nil {
		if step.Verb.PatchForm() == term.StrategicForm {
			object, _ = undirected(object).(map[string]any)
		}
		return LeavesIn(tl.Kind, WithoutWriteOnly(tl.Manifest.Kind, object))
	}
	if set, told := offersOfOperations(tr, tl, act); told {
		return set
	}
	all, names := schema.Leaves{}, NamedPaths(tl.Manifest.Kind, step)
	for name, leaf := range tr.LeavesOf(tl, act.Exchange.Answer) {
		if slices.ContainsFunc(names, func(p fieldpath.Path) bool { return path.Contains(p, leaf.Path) }) {
			all[name] = leaf
		}
	}
	return all
}

// undirected returns a strategic merge patch's body without its directives ($patch, $retainKeys,
// $setElementOrder), which are not values, and without what they delete; nil if nothing else is
// left.
func undirected(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return undirectedMap(v)
	case []any:
		var kept []any
		for _, item := range v {
			if item = undirected(item); item != nil {
				kept = append(kept, item)
			}
		}
		if len(kept) == 0 && len(v) > 0 {
			return nil
		}
		return append([]any{}, kept...)
	}
	return v
}

func undirectedMap(v map[string]any) any {
	kept := map[string]any{}
	for key, member := range v {
		if member = undirected(member); member != nil && !strings.HasPrefix(key, "$") {
			kept[key] = member
		}
	}
	if v["$patch"] == "delete" || len(kept) == 0 && len(v) > 0 {
		return nil
	}
	return kept
}

// WithoutWriteOnly returns a Secret as servers store it: its text (stringData) becomes part of
// its data and is never shown. Any other object is returned unchanged.
func WithoutWriteOnly(kind string, object map[string]any) map[string]any {
	text, ok := object["stringData"].(map[string]any)
	if kind != redact.BuiltIn || !ok {
		return object
	}
	plain := maps.Clone(object)
	delete(plain, "stringData")
	data, _ := object["data"].(map[string]any)
	data = maps.Clone(data)
	if data == nil {
		data = map[string]any{}
	}
	for key, v := range text {
		if s, ok := v.(string); ok {
			data[key] = base64.StdEncoding.EncodeToString([]byte(s))
		}
	}
	plain["data"] = data
	return plain
}

// plainName returns the member of an object under which a server stores the given one.
func plainName(kind, name string) string {
	if kind == redact.BuiltIn && name == "stringData" {
		return "data"
	}
	return name
}

// CanOffer reports whether the value at a path can be a client's in a call: servers do not own it, and it has
// the same path in the form that is compared.
func CanOffer(tr *Trace, tl *Timeline, act history.Operation, p fieldpath.Path) bool {
	if slices.ContainsFunc(ServerOwned(), func(own fieldpath.Path) bool { return path.Contains(own, p) }) {
		return false
	}
	if !OtherVersion(tl, tr.Steps[act.Step].Step) {
		return true
	}
	// A webhook may give a field of one name another meaning in another version.
	return tr.Declares(act.Role, tl, p) && (path.Contains(metadataMember, p) || !tr.ConvertsByWebhook(tl))
}

// IsOfPart reports whether a path belongs to the part of the object that a call is for: to the status if the
// call writes that, and to the rest if its kind has a status subresource. Only the server knows what other
// subresources write. Servers usually ignore the other part, and need not: see trace.TakesOtherPart.
func IsOfPart(tr *Trace, tl *Timeline, act history.Operation, p fieldpath.Path) bool {
	step := tr.Steps[act.Step].Step
	if WritesStatus(step) {
		return path.Contains(StatusPath(), p)
	}
	return !path.Contains(StatusPath(), p) || step.Subresource != "" || !HasStatus(tr, tl, act.Role)
}

// lastApplied is the annotation in which client-side apply keeps what it applied last.
func lastApplied() fieldpath.Path { return appliedPath }

var (
	appliedPath  = fieldpath.MakePathOrDie("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
	statusMember = fieldpath.MakePathOrDie("status")

	metadataMember = fieldpath.MakePathOrDie("metadata")
)

// StatusPath returns the path of the status.
func StatusPath() fieldpath.Path { return statusMember }

// HasStatus reports whether a release serves a status subresource of the kind.
func HasStatus(tr *Trace, tl *Timeline, role term.Role) bool {
	return HasPart(tr, tl, role, term.StatusPart)
}

// HasPart reports whether a release serves a subresource of the kind.
func HasPart(tr *Trace, tl *Timeline, role term.Role, part string) bool {
	return slices.ContainsFunc(tr.History.Releases[role].Resources, func(r history.Resource) bool {
		return r.APIVersion == tl.Manifest.APIVersion && r.Kind == tl.Manifest.Kind && slices.Contains(r.Subresources, part)
	})
}

// assigned returns an object with only what the step assigns.
func assigned(step plan.Step) map[string]any {
	object := map[string]any{}
	all, err := step.Assignments()
	if err != nil {
		return object
	}
	for _, a := range all {
		if a.Value != nil {
			// A path that cannot be set in an empty object (an index) offers nothing.
			_ = path.Set(object, a.Path, a.Value)
		}
	}
	return object
}

// atPlaces returns the values that a step assigns, those of a new element at the place that it has in the
// object: a list without keys knows its elements by their places alone.
func atPlaces(tr *Trace, tl *Timeline, act history.Operation, all schema.Leaves, step plan.Step) schema.Leaves {
	names := NamedPaths(tl.Manifest.Kind, step)
	alone := assigned(step)
	for i, at := range Placed(tr, act, names) {
		if at == nil {
			continue
		}
		here := path.Indexed(alone, names[i])
		for name, leaf := range maps.Clone(all) {
			if !path.Contains(here, leaf.Path) {
				continue
			}
			delete(all, name)
			leaf.Path = slices.Concat(at, leaf.Path[len(here):])
			all[path.String(leaf.Path)] = leaf
		}
	}
	return all
}

// Placed returns the places that paths have in the object that a call sends or, where it sends no whole
// one, in the answer: each as path.Indexed returns it; nil for a path without list elements.
func Placed(tr *Trace, act history.Operation, names []fieldpath.Path) []fieldpath.Path {
	object := tr.History.Object(act.Exchange.Sent)
	if object == nil {
		object = tr.History.Object(act.Exchange.Answer)
	}
	all := make([]fieldpath.Path, len(names))
	for i, name := range names {
		if at := path.Indexed(object, name); !at.Equals(name) {
			all[i] = at
		}
	}
	return all
}

// NamedPaths returns the paths that a step declares to change in a kind. A status write changes
// only the status, and a Secret's stringData changes its data.
func NamedPaths(kind string, step plan.Step) []fieldpath.Path {
	if step.Verb.Deletes() {
		return []fieldpath.Path{{}}
	}
	var all []fieldpath.Path
	if step.Verb.AppliesClientSide() { // the verb's own record of what it sent
		all = append(all, lastApplied())
	}
	if step.Change == nil {
		return all
	}
	for _, name := range step.Change.Names {
		p, err := path.Parse(name)
		if err != nil || WritesStatus(step) && !path.Contains(StatusPath(), p) {
			continue
		}
		if len(p) > 0 && p[0].FieldName != nil {
			p = slices.Concat(fieldpath.MakePathOrDie(plainName(kind, *p[0].FieldName)), p[1:])
		}
		all = append(all, p)
	}
	return all
}
