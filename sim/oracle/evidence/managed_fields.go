package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/oracle/requests"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// IsOfSpec reports whether a path lies in the part of an object whose changes its
// generation counts: all but what is about the object, and what was seen of it.
func IsOfSpec(p fieldpath.Path) bool {
	about := []fieldpath.Path{fieldpath.MakePathOrDie("metadata"), requests.StatusPath()}
	return !slices.ContainsFunc(append(about, trace.ServerOwned()...), func(other fieldpath.Path) bool { return path.Contains(other, p) })
}

// Generation is what a body says of its generation; "" where it says nothing. A body
// leaves out a generation that has not moved yet: that tells something of a kind that
// is seen to have one elsewhere.
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

// countsGenerations reports whether some object of a kind was seen to have a generation.
func countsGenerations(ev *Evidence, kind string) bool {
	if _, asked := ev.counting[kind]; !asked {
		if ev.counting == nil {
			ev.counting = map[string]bool{}
		}
		ev.counting[kind] = hasGeneration(ev, kind)
	}
	return ev.counting[kind]
}

func hasGeneration(ev *Evidence, kind string) bool {
	ofKind := fmt.Appendf(nil, `"kind":%q`, kind)
	for digest := range ev.History.Digests() {
		b := ev.History.Body(digest)
		if !bytes.Contains(b.JSON, ofKind) || !bytes.Contains(b.JSON, []byte(`"generation":`)) {
			continue
		}
		object := ev.History.Object(digest)
		if meta, _ := object["metadata"].(map[string]any); object["kind"] == kind && meta["generation"] != nil {
			return true
		}
	}
	return false
}

// OwnedFields is the set of an entry of managedFields; nil where it is none.
func OwnedFields(entry map[string]any) *fieldpath.Set {
	raw, err := json.Marshal(entry["fieldsV1"])
	set := &fieldpath.Set{}
	if err != nil || set.FromJSON(bytes.NewReader(raw)) != nil {
		return nil
	}
	return set
}

// OwnedBelow is what a set has below a path.
func OwnedBelow(set *fieldpath.Set, p fieldpath.Path) *fieldpath.Set {
	for _, element := range p {
		set = set.WithPrefix(element)
	}
	return set
}

// body is an answer that showed a stored version, the newest release's first; ""
// for none.
func body(v *trace.StoredVersion) string {
	for _, role := range trace.NewestFirst() {
		for _, obs := range v.Views[role] {
			if obs.ShowsObject() {
				return obs.Answer
			}
		}
	}
	return ""
}

// BodiesAround are the bodies before and after a version came to be.
func BodiesAround(tl *trace.Timeline, v *trace.StoredVersion) (before, after string) {
	if was := tl.Previous(v); was != nil {
		before = body(was)
	}
	return before, body(v)
}
