package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// IsOfSpec reports whether changes of a path are counted by the object's generation: paths of
// everything but metadata and status.
func IsOfSpec(p fieldpath.Path) bool {
	about := []fieldpath.Path{fieldpath.MakePathOrDie("metadata"), StatusPath()}
	return !slices.ContainsFunc(append(about, ServerOwned()...), func(other fieldpath.Path) bool { return path.Contains(other, p) })
}

// Ownership is what an object's body says of its generation, and of who owns its fields.
type Ownership struct {
	Generation string  // see Generation
	Owners     []Owner // in the order of the body
}

// Owner is an entry of managedFields that has fields.
type Owner struct {
	Manager string
	Fields  *fieldpath.Set
}

// ownershipsHeld is how many bodies' are kept: a write that loses many values has one body before it, and one after it.
const ownershipsHeld = 64

// OwnershipOf returns the ownership in a body; that of an unknown body says nothing.
func (ev *Evidence) OwnershipOf(digest string) Ownership {
	if known, is := ev.ownerships[digest]; is {
		return known
	}
	if ev.ownerships == nil || len(ev.ownerships) == ownershipsHeld {
		ev.ownerships = map[string]Ownership{}
	}
	object := ev.History.Object(digest)
	found := Ownership{Generation: generation(ev, object)}
	meta, _ := object["metadata"].(map[string]any)
	entries, _ := meta["managedFields"].([]any)
	for _, one := range entries {
		entry, _ := one.(map[string]any)
		manager, _ := entry["manager"].(string)
		if fields := OwnedFields(entry); fields != nil {
			found.Owners = append(found.Owners, Owner{manager, fields})
		}
	}
	ev.ownerships[digest] = found
	return found
}

// Generation returns the generation in a body, "" if unknown. A body without a generation counts
// as 0 if other objects of its kind have one.
func Generation(ev *Evidence, digest string) string { return generation(ev, ev.History.Object(digest)) }

func generation(ev *Evidence, object map[string]any) string {
	meta, _ := object["metadata"].(map[string]any)
	if v, there := meta["generation"]; there {
		return fmt.Sprint(v)
	}
	if kind, _ := object["kind"].(string); kind != "" && countsGenerations(ev, kind) {
		return "0"
	}
	return ""
}

// countsGenerations reports whether some object of a kind has a generation.
func countsGenerations(ev *Evidence, kind string) bool {
	if ev.counting == nil {
		ev.counting = kindsWithGeneration(ev)
	}
	return ev.counting[kind]
}

// kindsWithGeneration returns the kinds of which some object has a generation. It reads every body
// once: there are as many as requests.
func kindsWithGeneration(ev *Evidence) map[string]bool {
	all := map[string]bool{}
	for digest := range ev.History.Digests() {
		b := ev.History.Body(digest)
		if !bytes.Contains(b.JSON, []byte(`"generation":`)) {
			continue
		}
		var object struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Generation any `json:"generation"`
			} `json:"metadata"`
		}
		if json.Unmarshal(b.JSON, &object) == nil && object.Metadata.Generation != nil {
			all[object.Kind] = true
		}
	}
	return all
}

// OwnedFields returns the set of fields in an entry of managedFields, nil if it has none.
func OwnedFields(entry map[string]any) *fieldpath.Set {
	raw, err := json.Marshal(entry["fieldsV1"])
	set := &fieldpath.Set{}
	if err != nil || set.FromJSON(bytes.NewReader(raw)) != nil {
		return nil
	}
	return set
}

// OwnedBelow returns the part of a set below a path.
func OwnedBelow(set *fieldpath.Set, p fieldpath.Path) *fieldpath.Set {
	for _, element := range p {
		set = set.WithPrefix(element)
	}
	return set
}

// objectBody returns an answer that showed a stored version, preferably of the newest release; "" if
// none exists.
func objectBody(v *StoredVersion) string {
	for _, role := range NewestFirst() {
		for _, obs := range v.Views[role] {
			if obs.ShowsObject() {
				return obs.Answer
			}
		}
	}
	return ""
}

// BodiesAround returns the bodies before and after a version was written.
func BodiesAround(tl *Timeline, v *StoredVersion) (before, after string) {
	if was := tl.Previous(v); was != nil {
		before = objectBody(was)
	}
	return before, objectBody(v)
}
