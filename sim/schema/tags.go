package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Tags are the feature gates that the source of a release's types names of their fields:
// by the definition that publishes the type, then by the field's name in JSON.
type Tags map[string]map[string]Tag

// Tag is what the source says of one field.
type Tag struct {
	// Gates are those that the field is behind: it needs all of them, or one, which the tag
	// does not say.
	Gates []string `json:"gates,omitempty"`
	// Values are the gates of single values that the field may have.
	Values map[string][]string `json:"values,omitempty"`
}

// all are the gates of the field, and of its values.
func (t Tag) all() []string {
	return slices.Concat(t.Gates, slices.Concat(slices.Collect(maps.Values(t.Values))...))
}

// ReadTags reads tags as they are kept beside OpenAPI documents. Error: it is not of
// their form.
func ReadTags(text []byte) (Tags, error) {
	if len(text) > MaxDocument {
		return nil, fmt.Errorf("gates of the source: %d bytes, more than the %d that are read", len(text), MaxDocument)
	}
	var t Tags
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("gates of the source: %s", oneVoice.Replace(err.Error()))
	}
	return t, nil
}

// WithTags returns the schema with what the source of its types says of their gates.
func (s *Schema) WithTags(t Tags) *Schema {
	if s == nil || len(t) == 0 {
		return s
	}
	tagged := &Schema{kinds: make(map[groupVersionKind]Kind, len(s.kinds))}
	for gvk, k := range s.kinds {
		k.tags = t
		tagged.kinds[gvk] = k
	}
	return tagged
}

// WithoutGates returns the schema without the gates of some kinds, by apiVersion and name.
func (s *Schema) WithoutGates(of func(apiVersion, kind string) bool) *Schema {
	if s == nil {
		return nil
	}
	plain := &Schema{kinds: make(map[groupVersionKind]Kind, len(s.kinds))}
	for gvk, k := range s.kinds {
		if of(gvk.apiVersion, gvk.kind) {
			k.gates, k.values, k.tags = nil, nil, nil
		}
		plain.kinds[gvk] = k
	}
	return plain
}

// Guard is a feature gate that a field, or a value of it, is behind.
type Guard struct {
	Gate   string
	Source term.GateSource // the most trusted of those that say so
}

// Guards returns the gates that a path is behind, from the top of the object down, each
// once, with the source that says so. With all of them on the field can be used. Which are
// enough nothing says: of several gates of one field releases ask for all, or for one. None
// says nothing: not every field that needs a gate has a tag, or a description that names it.
func (k Gating) Guards(p fieldpath.Path) []Guard {
	var all []Guard
	for _, own := range k.GuardsAlong(p) {
		all = appendNew(all, own)
	}
	return all
}

// GuardsAlong returns, for each member of a path that is published, the gates that this
// member itself is behind.
func (k Gating) GuardsAlong(p fieldpath.Path) [][]Guard {
	if k.names() == 0 {
		return nil
	}
	var all [][]Guard
	for _, at := range k.along(p) {
		all = append(all, k.guardsAt(at))
	}
	return all
}

// GuardsOfValue returns the gates that one value of a path is behind: what an enum takes
// only with its gate on. The path's own are not among them.
func (k Gating) GuardsOfValue(p fieldpath.Path, value any) []Guard {
	if k.names() == 0 {
		return nil
	}
	along := k.along(p)
	if len(along) < len(p) || len(along) == 0 {
		return nil
	}
	at, text := along[len(along)-1], fmt.Sprint(value)
	var tags []Guard
	if _, is := value.(string); is {
		tags = fromTags(k.tagAt(at).Values[text])
	}
	at.place = strings.TrimSuffix(at.place, "[]") // what is said of a list is said of its elements
	return appendNew(appendNew(nil, tags), k.values[at][text])
}

// names counts the places that name gates. A custom resource has none, and of its values nothing
// need be looked up.
func (k Gating) names() int { return len(k.gates) + len(k.values) + len(k.tags) }

// GuardsBeside returns the gates of the other fields in the struct that a path's last field is in, by
// their names.
func (k Gating) GuardsBeside(p fieldpath.Path) map[string][]Guard {
	along := k.along(p)
	if len(along) < len(p) || len(along) == 0 {
		return nil
	}
	of := along[len(along)-1]
	in, own := splitPlace(of.place)
	all := map[string][]Guard{}
	add := func(place string, guards []Guard) {
		if holder, name := splitPlace(place); holder == in && name != own && len(guards) > 0 {
			all[name] = appendNew(all[name], guards)
		}
	}
	for at, guards := range k.gates {
		if at.definition == of.definition {
			add(at.place, guards)
		}
	}
	for name, tag := range k.tags[of.definition] {
		add("."+name, fromTags(tag.Gates))
	}
	return all
}

// splitPlace cuts the last field from a place: .spec and x of .spec.x.
func splitPlace(place string) (in, name string) {
	i := strings.LastIndex(place, ".")
	return place[:max(i, 0)], place[i+1:]
}

func fromTags(names []string) (all []Guard) {
	for _, name := range names {
		all = append(all, Guard{name, term.FromTag})
	}
	return all
}

// tagAt is what the source says of a place. What it says of a list or a map holds for
// the members.
func (k Gating) tagAt(at gated) Tag {
	name := strings.TrimPrefix(strings.TrimSuffix(at.place, "[]"), ".")
	return k.tags[at.definition][name]
}

// guardsAt are the gates of one place: those that a server publishes as data, then those
// of the source, then what a description says.
func (k Gating) guardsAt(at gated) []Guard {
	tags := fromTags(k.tagAt(at).Gates)
	published := k.gates[at]
	if len(published) > 0 && published[0].Source == term.FromLifecycle {
		return appendNew(appendNew(nil, published), tags)
	}
	return appendNew(appendNew(nil, tags), published)
}

// appendNew adds the guards whose gates are not among those there are.
func appendNew(all, more []Guard) []Guard {
	for _, g := range more {
		if !slices.ContainsFunc(all, func(other Guard) bool { return other.Gate == g.Gate }) {
			all = append(all, g)
		}
	}
	return all
}
