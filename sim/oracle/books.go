package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// An object keeps books on itself: its generation, which moves with its spec, and
// managedFields, which name who owns what. Who goes by them does not see a value go
// that the books say nothing of; so a finding tells what they say.

// closeBooks adds to a finding what the books say of its value: before it became
// another, and after. Bodies that are not known, "", say nothing.
func (e *evidence) closeBooks(f *result.Finding, before, after string) {
	p := parsed(f.Path)
	if len(p) == 0 {
		return
	}
	was, is := e.generation(before), e.generation(after)
	if ofSpec(p) && was != "" && was == is {
		f.Generation = term.Unmoved
	}
	if f.State == term.Lost || f.Check == term.NothingLost || f.Check == term.CheckRule4 {
		f.ClaimedBy = e.claimants(after, p)
	}
}

// ofSpec tells whether a path lies in the part of an object whose changes its
// generation counts: all but what is about the object, and what was seen of it.
func ofSpec(p fieldpath.Path) bool {
	about := []fieldpath.Path{fieldpath.MakePathOrDie("metadata"), statusPath()}
	return !slices.ContainsFunc(append(about, serverOwned()...), func(other fieldpath.Path) bool { return path.Contains(other, p) })
}

// generation is what a body says of its generation; "" where it says nothing. A body
// leaves out a generation that has not moved yet: that tells something of a kind that
// is seen to have one elsewhere.
func (e *evidence) generation(digest string) string {
	object := e.history.Object(digest)
	meta, _ := object["metadata"].(map[string]any)
	if v, there := meta["generation"]; there {
		return fmt.Sprint(v)
	}
	if kind, _ := object["kind"].(string); kind != "" && e.countsGenerations(kind) {
		return "0"
	}
	return ""
}

// countsGenerations tells whether some object of a kind was seen to have a generation.
func (e *evidence) countsGenerations(kind string) bool {
	if _, asked := e.counting[kind]; !asked {
		if e.counting == nil {
			e.counting = map[string]bool{}
		}
		e.counting[kind] = e.hasGeneration(kind)
	}
	return e.counting[kind]
}

func (e *evidence) hasGeneration(kind string) bool {
	ofKind := fmt.Appendf(nil, `"kind":%q`, kind)
	for digest := range e.history.Digests() {
		b := e.history.Body(digest)
		if !bytes.Contains(b.JSON, ofKind) || !bytes.Contains(b.JSON, []byte(`"generation":`)) {
			continue
		}
		object := e.history.Object(digest)
		if meta, _ := object["metadata"].(map[string]any); object["kind"] == kind && meta["generation"] != nil {
			return true
		}
	}
	return false
}

// claimants are the managers that a body's managedFields name as owners of a
// value, or of something in it.
func (e *evidence) claimants(digest string, p fieldpath.Path) []string {
	meta, _ := e.history.Object(digest)["metadata"].(map[string]any)
	entries, _ := meta["managedFields"].([]any)
	var all []string
	for _, one := range entries {
		entry, _ := one.(map[string]any)
		manager, _ := entry["manager"].(string)
		if set := fieldsOf(entry); set != nil && (set.Has(p) || !ownedBelow(set, p).Empty()) {
			all = append(all, manager)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fieldsOf is the set of an entry of managedFields; nil where it is none.
func fieldsOf(entry map[string]any) *fieldpath.Set {
	raw, err := json.Marshal(entry["fieldsV1"])
	set := &fieldpath.Set{}
	if err != nil || set.FromJSON(bytes.NewReader(raw)) != nil {
		return nil
	}
	return set
}

// ownedBelow is what a set has below a path.
func ownedBelow(set *fieldpath.Set, p fieldpath.Path) *fieldpath.Set {
	for _, element := range p {
		set = set.WithPrefix(element)
	}
	return set
}

// tellBooks adds to each finding what the object's books say, in words.
func tellBooks(findings []result.Finding) {
	for i := range findings {
		f := &findings[i]
		var all []string
		if f.Generation == term.Unmoved {
			all = append(all, "metadata.generation did not move")
		}
		if len(f.ClaimedBy) > 0 {
			all = append(all, "managedFields still name "+strings.Join(f.ClaimedBy, " and ")+" as its owner")
		}
		if len(all) > 0 {
			f.Message += "; " + strings.Join(all, ", and ")
		}
	}
}

// body is an answer that showed a stored version, the newest release's first; ""
// for none.
func (v *version) body() string {
	for _, role := range newestFirst() {
		for _, s := range v.views[role] {
			if s.ok() {
				return s.answer
			}
		}
	}
	return ""
}

// around are the bodies before and after a version came to be.
func (l *life) around(v *version) (before, after string) {
	if was := l.previous(v); was != nil {
		before = was.body()
	}
	return before, v.body()
}
