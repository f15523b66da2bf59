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

// Generation returns the generation in a body, "" if unknown. A body without a generation counts
// as 0 if other objects of its kind have one.
func Generation(ev *Evidence, digest string) string {
	object := ev.History.Object(digest)
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
