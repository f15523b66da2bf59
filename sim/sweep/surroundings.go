package sweep

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Surroundings are what an object holds around a value. A server that tolerates a stored value evaluates
// its rules again when what it compares changes: the struct that the rule is of or, where a list without
// keys is around it, the whole list.
type Surroundings struct {
	// Object has the value.
	Object map[string]any
	// Plain is an object of the kind that both releases accept: it has members and elements that Object
	// lacks. Nil: none is known.
	Plain map[string]any
	// Held is the path of the value, or of the struct that lacks the field Without; "": it lacks none.
	Held, Without string
	// Inside reports that the rule is of the value as a whole, so that a change within it counts.
	Inside bool
	// Rule is the text of the rule. A member that a rule in CEL names stays as it is: another value may
	// satisfy the rule.
	Rule string
	// Differing are the fields that the releases treat differently, as differences spell them. They stay as
	// they are, unless the value is within them.
	Differing []string
	// Ruled are fields for which the releases have other rules. What changes them comes last: values that both
	// releases accept say something of what is around them.
	Ruled []string
	// Words returns further values for a field, such as those that its enum has; nil: none is known.
	Words func(at fieldpath.Path) []any
	// IsFixed reports whether a schema says that nobody may change a field in place: an element's key, or what a
	// rule compares with what was stored; nil: none is known.
	IsFixed func(at fieldpath.Path) bool
}

// Neighbours returns changes of one value each, by its path, beside a value: the nearest first. Where a
// level has nothing that can change, the next one is around it, as long as a list is around both.
func (s Surroundings) Neighbours() []map[string]any {
	held, err := path.Parse(s.Held)
	if err != nil || len(held) == 0 {
		return nil
	}
	n := neighbours{Surroundings: s, held: held}
	differing, ruled := fieldsBeside(s.Differing, held), fieldsBeside(s.Ruled, held)
	n.differing = slices.Concat(differing, ruled)
	n.levels()
	if len(ruled) > 0 {
		n.differing = differing
		n.levels()
	}
	return n.found
}

// fieldsBeside reads the paths of fields, without those that the value at a path is within.
func fieldsBeside(texts []string, held fieldpath.Path) (fields []field) {
	for _, text := range texts {
		if f := parseField(text); !f.covers(held) {
			fields = append(fields, f)
		}
	}
	return fields
}

// levels collects the changes of each level, from that of the value outwards.
func (n *neighbours) levels() {
	if n.Inside || n.Without != "" {
		n.level(n.held, nil)
	}
	for at := n.held; len(at) > 1 && (isInList(at) || len(at) == len(n.held) && n.Without == ""); at = at[:len(at)-1] {
		n.level(at[:len(at)-1], &at[len(at)-1])
	}
}

// maxNeighbours is how many changes are of interest, maxDeep how far below a struct they are.
const maxNeighbours, maxDeep = 16, 4

// neighbours collects changes.
type neighbours struct {
	Surroundings
	held      fieldpath.Path
	differing []field
	found     []map[string]any
}

// isFull reports whether there are as many changes as are of interest: those that would follow are farther away.
func (n *neighbours) isFull() bool { return len(n.found) >= maxNeighbours }

// isInList reports whether a list holds what is at a path.
func isInList(at fieldpath.Path) bool {
	return slices.ContainsFunc(at, func(e fieldpath.PathElement) bool { return e.FieldName == nil })
}

// level collects the changes at a path where the value is within the member or element inner, if any.
func (n *neighbours) level(at fieldpath.Path, inner *fieldpath.PathElement) {
	if n.isFull() {
		return
	}
	v, _ := path.Get(n.Object, at)
	switch v := v.(type) {
	case map[string]any:
		n.scalars(at, v)
		n.lacking(at, v)
		for depth := 1; depth < maxDeep; depth++ {
			n.below(at, v, inner, depth)
		}
		n.named(at, v)
	case []any:
		n.elements(at, v, inner)
		n.appended(at, v)
	}
}

// scalars changes the members of a struct that have one value: each once, and then each otherwise.
func (n *neighbours) scalars(at fieldpath.Path, fields map[string]any) {
	names := slices.DeleteFunc(byStrictness(fields), func(name string) bool { return n.isNamed(at, name) || !n.mayChange(memberPath(at, name), name) })
	for i := range maxOthers {
		if n.isFull() {
			return
		}
		for _, name := range names {
			if others := n.others(memberPath(at, name), fields[name]); i < len(others) {
				n.add(memberPath(at, name), others[i])
			}
		}
	}
}

// others returns other values for a field.
func (n *neighbours) others(at fieldpath.Path, v any) []any {
	all := otherValues(v)
	if _, is := v.(string); is && n.Words != nil {
		all = append(all, n.Words(at)...)
	}
	return slices.DeleteFunc(all, func(other any) bool { return other == v })
}

// lacking adds members that the plain object has at the same place.
func (n *neighbours) lacking(at fieldpath.Path, fields map[string]any) {
	theirs, _ := path.Get(n.Plain, at)
	more, _ := theirs.(map[string]any)
	for _, name := range byStrictness(more) {
		_, has := fields[name]
		if !has && otherValue(more[name]) != nil && !n.isNamed(at, name) && n.mayChange(memberPath(at, name), name) {
			n.add(memberPath(at, name), more[name])
		}
	}
}

// named changes the members that a rule names which is a schema: it says what must be there, whatever its
// value.
func (n *neighbours) named(at fieldpath.Path, fields map[string]any) {
	for _, name := range byStrictness(fields) {
		if other := otherValue(fields[name]); other != nil && n.isNamed(at, name) && !strings.Contains(n.Rule, "self") && n.mayChange(memberPath(at, name), name) {
			n.add(memberPath(at, name), other)
		}
	}
}

// below changes what the members of a struct hold at a depth.
func (n *neighbours) below(at fieldpath.Path, fields map[string]any, inner *fieldpath.PathElement, depth int) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if inner != nil && inner.FieldName != nil && *inner.FieldName == name || n.isNamed(at, name) || !n.mayChange(memberPath(at, name), name) {
			continue
		}
		n.within(memberPath(at, name), fields[name], depth)
	}
}

// within changes what a struct or list holds at a depth.
func (n *neighbours) within(at fieldpath.Path, v any, depth int) {
	if depth == 0 || n.isFull() {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if depth == 1 {
			n.scalars(at, v)
			return
		}
		n.below(at, v, nil, depth-1)
	case []any:
		for i, element := range v {
			n.within(elementOf(at, i, element), element, depth-1)
		}
		if depth == 1 {
			n.elements(at, v, nil)
		}
	}
}

// elements changes the elements of a list, the last one first.
func (n *neighbours) elements(at fieldpath.Path, list []any, inner *fieldpath.PathElement) {
	own := -1
	if inner != nil {
		own = path.Position(list, *inner)
	}
	for i, v := range slices.Backward(list) {
		if n.isFull() {
			return
		}
		element := elementOf(at, i, v)
		fields, isStruct := v.(map[string]any)
		switch other := otherValue(v); {
		case i == own:
		case isStruct && n.isHeld(at): // the list is the value
			n.whole(at, list, i, fields)
		case isStruct:
			n.scalars(element, fields)
		case other != nil && !slices.Contains(list, other) && !n.differs(element):
			n.add(element, other)
		}
	}
}

// whole changes the value itself, a list, in one member of one of its elements: not in one by which lists
// know their elements, as long as it has others.
func (n *neighbours) whole(at fieldpath.Path, list []any, i int, fields map[string]any) {
	names := byStrictness(fields)
	slices.SortStableFunc(names, func(a, b string) int { return slices.Index(keys, a) - slices.Index(keys, b) })
	for _, name := range names {
		if other := otherValue(fields[name]); other != nil && !n.isNamed(at, name) && !n.differs(memberPath(elementOf(at, i, fields), name)) {
			all := slices.Clone(list)
			changed := runtime.DeepCopyJSON(fields)
			changed[name] = other
			all[i] = changed
			n.add(at, all)
		}
	}
}

// appended adds an element to a list, such as the plain object has there.
func (n *neighbours) appended(at fieldpath.Path, list []any) {
	theirs, _ := path.Get(n.Plain, at)
	more, _ := theirs.([]any)
	element := elementOf(at, len(list), nil)
	for _, v := range slices.Backward(more) {
		v = n.alike(element, runtime.DeepCopyJSONValue(v))
		if other := otherValue(v); other != nil && slices.Contains(list, v) {
			v = other // a set has no element twice
		}
		if v != nil {
			n.add(element, v)
		}
	}
}

// alike returns an element without the members that the releases treat differently; nil: nothing is left.
func (n *neighbours) alike(at fieldpath.Path, v any) any {
	fields, isStruct := v.(map[string]any)
	if !isStruct {
		return v
	}
	maps.DeleteFunc(fields, func(name string, _ any) bool { return n.differs(memberPath(at, name)) })
	if len(fields) == 0 {
		return nil
	}
	return fields
}

// add adds a change, once, as long as there is room.
func (n *neighbours) add(at fieldpath.Path, v any) {
	if n.isFull() {
		return
	}
	text := path.String(at)
	if !slices.ContainsFunc(n.found, func(known map[string]any) bool { was, is := known[text]; return is && reflect.DeepEqual(was, v) }) {
		n.found = append(n.found, map[string]any{text: v})
	}
}

// mayChange reports whether a member of an object may have another value: it is not the value, nor the field
// that is not there, nor a key of the list that its struct is in, nor a field that the releases treat
// differently.
func (n *neighbours) mayChange(at fieldpath.Path, name string) bool {
	switch {
	case n.isHeld(at), !n.Inside && n.Without == "" && path.Contains(n.held, at):
		return false
	case n.Without != "" && path.Contains(memberPath(n.held, n.Without), at):
		return false
	}
	fixed := isKey(at[:len(at)-1], name) || n.IsFixed != nil && n.IsFixed(at)
	return !fixed && !strings.ContainsAny(name, special) && !n.differs(at)
}

// isHeld reports whether a path is that of the value.
func (n *neighbours) isHeld(at fieldpath.Path) bool {
	return len(at) == len(n.held) && path.Contains(n.held, at)
}

// differs reports whether the releases treat a field, or one that it is within, differently.
func (n *neighbours) differs(at fieldpath.Path) bool {
	return slices.ContainsFunc(n.differing, func(f field) bool { return f.covers(at) })
}

// isNamed reports whether the text of the rule names a member of what the rule is of.
func (n *neighbours) isNamed(at fieldpath.Path, name string) bool {
	return path.Contains(n.held, at) && Names(n.Rule, name)
}

// Names reports whether the text of a rule has a word.
func Names(rule, word string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(rule[from:], word)
		if i < 0 {
			return false
		}
		start := from + i
		if isBoundary(rule, start) && isBoundary(rule, start+len(word)) {
			return true
		}
		from = start + 1
	}
}

// isBoundary reports whether a word begins or ends at a position of a text.
func isBoundary(text string, at int) bool {
	inWord := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '_' || '0' <= text[i] && text[i] <= '9' || 'a' <= text[i]|0x20 && text[i]|0x20 <= 'z')
	}
	return inWord(at-1) != inWord(at)
}

// Covers reports whether a path is that of a field, as differences spell it, or within it. The [] of a field
// is any element of a list, or any entry of a map.
func Covers(text string, at fieldpath.Path) bool { return parseField(text).covers(at) }

// field is the path of a field, as differences spell it: the names of its members, and anyElement.
type field []string

const anyElement = "[]"

// parseField reads a path; nil: it is none.
func parseField(text string) field {
	at, err := path.Parse(strings.ReplaceAll(text, anyElement, `["`+anyElement+`"]`))
	if err != nil {
		return nil
	}
	f := make(field, len(at))
	for i, e := range at {
		if e.FieldName == nil {
			return nil
		}
		f[i] = *e.FieldName
	}
	return f
}

func (f field) covers(at fieldpath.Path) bool {
	if len(f) == 0 || len(f) > len(at) {
		return false
	}
	for i, name := range f {
		if name != anyElement && (at[i].FieldName == nil || *at[i].FieldName != name) {
			return false
		}
	}
	return true
}

// IsPart reports whether a change is of a part of the value at a path, or of the list of which the value is
// an element, and not of a field beside the value.
func IsPart(fields map[string]any, held string) bool {
	whole, err := path.Parse(held)
	if err != nil || len(whole) == 0 {
		return false
	}
	if last := len(whole) - 1; whole[last].FieldName == nil {
		whole = whole[:last]
	}
	for text := range fields {
		if at, err := path.Parse(text); err == nil && path.Contains(whole, at) {
			return true
		}
	}
	return false
}

// IsAround reports whether a change is of what holds the value at a path, or of the value as a whole: what a
// server says of it may be about the value, and says nothing of the rest of the change.
func IsAround(fields map[string]any, held string) bool {
	value, err := path.Parse(held)
	if err != nil || len(value) == 0 {
		return false
	}
	for text := range fields {
		if at, err := path.Parse(text); err == nil && path.Contains(at, value) {
			return true
		}
	}
	return false
}

// memberPath returns the path of a member of a struct.
func memberPath(at fieldpath.Path, name string) fieldpath.Path {
	return append(slices.Clone(at), fieldpath.PathElement{FieldName: &name})
}

// elementOf returns the path of an element of a list: of conditions by their type, as servers know them.
func elementOf(at fieldpath.Path, i int, v any) fieldpath.Path {
	e := fieldpath.PathElement{Index: &i}
	fields, _ := v.(map[string]any)
	if kind, is := fields["type"].(string); is && at[len(at)-1].FieldName != nil && *at[len(at)-1].FieldName == "conditions" {
		e = fieldpath.PathElement{Key: &value.FieldList{{Name: "type", Value: value.NewValueInterface(kind)}}}
	}
	return append(slices.Clone(at), e)
}
