package sweep

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// nameField is the path of an object's name.
const nameField = ".metadata.name"

// ofNames returns the first name that the releases answer differently, as the beginning of names that copies of
// the object can have; none: every name is answered alike.
func ofNames(r try.Result) []try.Trial {
	for _, t := range r.Trials {
		name, is := t.Value.(string)
		if t.Held != nameField || !is || name == "" || t.Update {
			continue
		}
		t.Object = runtime.DeepCopyJSON(t.Object)
		metadata, _ := t.Object["metadata"].(map[string]any)
		metadata["name"] = name + "-" + string(term.CopyName)
		return []try.Trial{t}
	}
	return nil
}

// NameRules returns the rules for names of a difference in the rules of metadata, each by its name in OpenAPI
// with what both releases state.
func NameRules(r Row) (all [][3]string) {
	if r.Name != diff.MetadataRules || !r.Difference.Difference.IsRule() {
		return nil
	}
	var stated [2]map[string]map[string]any
	for i, text := range []string{r.Old, r.New} {
		_ = json.Unmarshal([]byte(text), &stated[i]) // what is no JSON states nothing
	}
	of := [2]map[string]any{stated[0]["name"], stated[1]["name"]}
	names := slices.AppendSeq(slices.Collect(maps.Keys(of[0])), maps.Keys(of[1]))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		var said [2]string
		for i := range of {
			if v, has := of[i][name]; has {
				said[i] = TextOf(v)
			}
		}
		if said[0] != said[1] && !slices.Contains([]string{"type", "description", "title"}, name) {
			all = append(all, [3]string{name, said[0], said[1]})
		}
	}
	return all
}

// IsOfName reports whether the object is for a rule of its name.
func (o Object) IsOfName() bool { return o.Target.Ruled == nameField }
