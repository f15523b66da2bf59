package observe

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// likeness is a digest of an object's content without what only distinguishes its copy from
// others: of two copies with equal likeness, one attempt counts for both.
type likeness [16]byte

// likeness removes from an object what belongs to its copy alone, and returns a digest of
// the rest. It modifies the object. It removes the copy's identity (name, uid,
// resourceVersion), the times at which things happened to it, wherever its kind has one,
// the marks of its own steps, and who owns which field. The name and the uid are removed everywhere, also in
// labels and references that servers derive from them: the objects are made from the same
// manifest, so a place that holds one copy's name holds the other's. That is sound as long
// as a server treats names as names. A server that looks into their spelling could still
// treat two copies differently; but all names of a run are spelled alike (object, role,
// number), and servers refuse a spelling when an object is created. Values that servers
// allocate, such as addresses, stay: nothing here knows where they are, so such copies are
// all different and each is tried by itself. That costs requests, and claims nothing that
// was not tried.
func (rec *Recorder) likeness(name string, object map[string]any) likeness {
	meta, _ := object["metadata"].(map[string]any)
	uid, _ := meta["uid"].(string)
	whole, _ := meta["name"].(string)
	anonymise(meta)
	rec.forgetTimes(object)
	for _, step := range rec.acts[name] {
		unscale(object, step)
	}
	text, _ := json.Marshal(object) // it was decoded from JSON
	if whole != "" {                // its text may contain the copy's name
		text = bytes.ReplaceAll(text, []byte(whole), []byte("\x00"))
	}
	text = bytes.ReplaceAll(text, []byte(name), []byte("\x00"))
	if uid != "" {
		text = bytes.ReplaceAll(text, []byte(uid), []byte("\x01"))
	}
	for _, step := range slices.Backward(rec.acts[name]) { // step-17 before step-1
		text = bytes.ReplaceAll(text, []byte(step.Mark()), []byte("\x02"))
	}
	sum := sha256.Sum256(text)
	return likeness(sum[:16])
}

// anonymise removes the copy's identity, the times and the owners of fields from its metadata. It keeps that the
// copy is being deleted, but not since when, and the versions of the owners.
func anonymise(meta map[string]any) {
	for _, own := range []string{"name", "uid", "resourceVersion", "creationTimestamp", "generation"} {
		delete(meta, own)
	}
	if meta["deletionTimestamp"] != nil {
		meta["deletionTimestamp"] = true
	}
	if labels, ok := meta["labels"].(map[string]any); ok && labels[plan.TouchLabel] != nil {
		labels[plan.TouchLabel] = ""
	}
	if managers, has := meta["managedFields"].([]any); has {
		meta["managedFields"] = versionsOf(managers)
	}
}

// versionsOf returns the versions in which managers own fields. That is what a server reads of managedFields before it
// takes a write, and what it may fail to convert. Who owns which field decides about applies alone.
func versionsOf(managers []any) (versions []string) {
	for _, manager := range managers {
		entry, _ := manager.(map[string]any)
		versions = append(versions, fmt.Sprint(entry["apiVersion"]))
	}
	slices.Sort(versions)
	return slices.Compact(versions)
}

// forgetTimes removes the other times that servers set, by the schema of the newest release
// that serves the kind: likeness must not depend on the clock.
func (rec *Recorder) forgetTimes(object map[string]any) {
	of := Describe(object).Of
	for _, role := range []term.Role{term.New, term.Old} {
		if kind, ok := rec.known.ByRole[role].Schema.Kind(of.APIVersion, of.Kind); ok {
			kind.ForgetTimes(object)
			return
		}
	}
}

// unscale removes the number that the copy's own step scaled it to, which no other step
// uses.
func unscale(object map[string]any, s plan.Step) {
	if s.Change == nil || s.Change.Kind != plan.Scale {
		return
	}
	all, err := s.Assignments()
	if err != nil {
		return
	}
	for _, a := range all {
		if v, found := path.Get(object, a.Path); found && fmt.Sprint(v) == fmt.Sprint(a.Value) {
			_ = path.Set(object, a.Path, true) // it exists, so it can be set
		}
	}
}
