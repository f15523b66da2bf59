package try

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/objects"
)

// change is one edit of a valid object.
type change struct {
	at      fieldpath.Path // with indices: keys may change
	value   any
	removed bool
}

// apply returns the object with the change; false if it has no such place.
func (c change) apply(object map[string]any) (map[string]any, bool) {
	edited := runtime.DeepCopyJSON(object)
	if c.removed {
		return edited, path.Remove(edited, c.at)
	}
	return edited, path.Set(edited, c.at, runtime.DeepCopyJSONValue(c.value)) == nil
}

// isKept reports whether an answer shows the change. Another value counts: servers normalize.
func (c change) isKept(answer map[string]any) bool {
	if c.removed || c.value == nil {
		return true
	}
	v, has := path.Get(answer, c.at)
	return has && v != nil || isZero(c.value)
}

// isNull reports whether the change sends an explicit null, which a client may tell from no value.
func (c change) isNull() bool { return !c.removed && c.value == nil }

// nullsIn returns the answers of two releases that accept a null. Where one of them keeps it, and the
// other one shows something else in its place, the other one does not accept it.
func (c change) nullsIn(answers [2]Answer, bodies [2]map[string]any) [2]Answer {
	if !answers[0].Accepted || !answers[1].Accepted {
		return answers
	}
	var kept [2]bool
	for i := range answers {
		v, has := path.Get(bodies[i], c.at)
		kept[i] = has && v == nil
	}
	for i := range answers {
		if kept[i] || !kept[1-i] {
			continue
		}
		answers[i].Accepted, answers[i].Replaced = false, true
		answers[i].Message = "no value is left in its place"
		if v, has := path.Get(bodies[i], c.at); has {
			answers[i].Message = fmt.Sprintf("%s is in its place", objects.JSONText(v))
			answers[i].Default = v
		}
	}
	return answers
}

// isZero reports whether servers may leave the value out.
func isZero(v any) bool {
	text, err := json.Marshal(v)
	return err == nil && slices.Contains([]string{`""`, `0`, `false`, `[]`, `{}`, `null`}, string(text))
}

// locate returns the place of a path in an object, with indices for keys. The [] of a published
// path is the first element of a list, or the first entry of a map. Fields may be absent, also
// those around the last one.
func locate(object map[string]any, text string) (fieldpath.Path, bool) {
	var at fieldpath.Path
	var node any = object
	for _, part := range splitPath(text) {
		e, ok := element(node, part)
		if !ok {
			return at, false
		}
		at = append(at, e)
		node, _ = path.Get(object, at)
	}
	return at, true
}

// splitPath splits .a[].b[k="v"] into a, [], b and [k="v"].
func splitPath(text string) (parts []string) {
	p, err := path.Parse(strings.ReplaceAll(text, "[]", anyElement))
	if err != nil {
		return []string{""}
	}
	for _, e := range p {
		one := path.String(fieldpath.Path{e})
		if one == anyElement {
			one = "[]"
		}
		parts = append(parts, one)
	}
	return parts
}

// anyElement is [] as an element that package path reads.
const anyElement = `["[]"]`

// element returns the element of a path that a part selects in a node.
func element(node any, part string) (fieldpath.PathElement, bool) {
	if part == "[]" {
		return firstElement(node)
	}
	p, err := path.Parse(part)
	if err != nil || len(p) != 1 {
		return fieldpath.PathElement{}, false
	}
	list, isList := node.([]any)
	if isList {
		i := path.Position(list, p[0])
		return fieldpath.PathElement{Index: &i}, i >= 0
	}
	_, isMap := node.(map[string]any)
	return p[0], isMap || node == nil && p[0].FieldName != nil
}

func firstElement(node any) (fieldpath.PathElement, bool) {
	switch n := node.(type) {
	case []any:
		first := 0
		return fieldpath.PathElement{Index: &first}, len(n) > 0
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(n)) {
			return fieldpath.PathElement{FieldName: &name}, true
		}
	}
	return fieldpath.PathElement{}, false
}

// changes returns the edits of a target's object that its rule may tell apart: values on each
// side of what either release states.
func (t RuleTarget) changes() (all []change) {
	at, found := locate(t.Object, t.where())
	if !found {
		return nil
	}
	base, has := path.Get(t.Object, at)
	if name := t.member(); name != "" {
		at = append(at[:len(at):len(at)], fieldpath.PathElement{FieldName: &name})
		base, has = path.Get(t.Object, at)
	}
	if t.inEach() {
		if e, ok := firstElement(base); ok {
			at = append(at[:len(at):len(at)], e)
			base, has = path.Get(t.Object, at)
		}
	}
	if all = t.named(); !has {
		return all
	}
	if entries, is := base.(map[string]any); is && t.ofKeys() {
		for _, v := range withKeys(entries) {
			all = append(all, change{at: at, value: v})
		}
	}
	for _, v := range t.alternatives(at, base) {
		all = append(all, change{at: at, value: v})
	}
	valid, _ := base.(string) // or a number, where both are allowed
	for _, v := range apart(t.patternsIn(t.Old), t.patternsIn(t.New), valid) {
		all = append(all, change{at: at, value: v})
	}
	for _, s := range t.statements() {
		for _, v := range s.values(base) {
			all = append(all, change{at: at, value: v})
		}
		if s.name == "null refused" {
			all = append(all, change{at: at})
		}
		if s.mayRemove() {
			all = append(all, change{at: at, removed: true})
		}
	}
	return distinct(all)
}

// alternative is one of those that a rule states: by the members which it requires, and the values that these have.
type alternative struct {
	Required   []string
	Properties map[string]struct{ Enum []any }
}

// alternatives returns, for each alternative that either release states, the struct at a path with its members and
// values, and without the members of the other alternatives.
func (t RuleTarget) alternatives(at fieldpath.Path, base any) (all []any) {
	fields, isStruct := base.(map[string]any)
	if !isStruct {
		return nil
	}
	var stated []alternative
	for _, text := range []string{t.Old, t.New} {
		var own []alternative
		if json.Unmarshal([]byte(text), &own) == nil {
			stated = append(stated, own...)
		}
	}
	plain, values := runtime.DeepCopyJSON(fields), map[string]any{}
	for _, a := range stated {
		for _, name := range a.Required {
			values[name] = t.memberOf(at, fields, name)
			delete(plain, name)
		}
	}
	for _, a := range stated {
		own := runtime.DeepCopyJSON(plain)
		for _, name := range a.Required {
			own[name] = runtime.DeepCopyJSONValue(values[name])
			if own[name] == nil {
				own[name] = runtime.DeepCopyJSONValue(anyOf(values))
			}
		}
		isValued := false
		for name, property := range a.Properties {
			if _, has := own[name]; len(property.Enum) > 0 && (has || slices.Contains(a.Required, name)) {
				own[name], isValued = property.Enum[0], true
			}
		}
		if isValued || len(a.Required) > 0 && own[a.Required[0]] != nil {
			all = append(all, own)
		}
	}
	return all
}

// memberOf returns a value of a member of a struct: its own, or one that one of the releases accepts there. Nil:
// none is known.
func (t RuleTarget) memberOf(at fieldpath.Path, fields map[string]any, name string) any {
	if v, has := fields[name]; has {
		return v
	}
	text := path.String(append(slices.Clone(at), fieldpath.PathElement{FieldName: &name}))
	for _, d := range t.Disputed {
		if there, found := locate(t.Object, d.Path); found && path.String(there) == text {
			return d.Value
		}
	}
	return nil
}

// anyOf returns one of the values that are known of members, which others often are like.
func anyOf(values map[string]any) any {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] != nil {
			return values[name]
		}
	}
	return nil
}

// named returns the edits to the values that the target names.
func (t RuleTarget) named() (all []change) {
	at, found := locate(t.Object, t.where())
	for _, v := range t.Values {
		if found {
			all = append(all, change{at: at, value: v})
		}
	}
	return all
}

// where returns the path of the rule in the target's object.
func (t RuleTarget) where() string {
	if t.Held != "" {
		return t.Held
	}
	return t.Path
}

func distinct(all []change) (once []change) {
	seen := map[string]bool{}
	for _, c := range all {
		text, _ := json.Marshal(c.value)
		key := fmt.Sprintf("%s %t %s", path.String(c.at), c.removed, text)
		if !seen[key] {
			seen[key] = true
			once = append(once, c)
		}
	}
	return once
}

// byUnion returns, for a member of a union, the edits that add another member, as other targets
// of the same kind hold it.
func (t RuleTarget) byUnion(others []RuleTarget) (all []change) {
	if !t.isUnionMember() {
		return nil
	}
	at, found := locate(t.Object, t.where())
	if !found {
		return nil
	}
	for _, o := range others {
		if o.ID == t.ID || o.APIVersion != t.APIVersion || o.Kind != t.Kind || parentOf(o.Path) != parentOf(t.Path) || o.Path == t.Path || !o.isUnionMember() {
			continue
		}
		there, found := locate(o.Object, o.where())
		if v, has := path.Get(o.Object, there); found && has {
			beside := append(at[:len(at)-1:len(at)-1], there[len(there)-1])
			all = append(all, change{at: beside, value: v})
		}
	}
	return all
}

func parentOf(field string) string { return field[:max(0, strings.LastIndexByte(field, '.'))] }
