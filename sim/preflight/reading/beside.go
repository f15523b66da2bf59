package reading

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/client"
)

// The writes that change an object, or create it once more. A server may refuse them although it accepts the object
// as it is: what an update leaves alone is validated less strictly. A refusal alone says nothing, for values of nobody's
// choice are sent: only what another release has accepted is sent to a second one.
const (
	Edit   Write = "edit"   // one value is changed, or one element added to a list
	Create Write = "create" // a new object with the same name and contents
)

// FieldEdit is what an Edit changes.
type FieldEdit struct {
	// Pointer is the JSON pointer of the value that is replaced; of an element that is added, the one that it gets.
	Pointer string `json:"pointer"`
	// Was is the value that is replaced, or the list that gets an element.
	Was   json.RawMessage `json:"was"`
	Value json.RawMessage `json:"value"`
	// Added reports that the list at Was gets an element.
	Added bool `json:"added,omitempty"`
}

// Field returns the path of the changed value, as servers spell it: .spec.list[0].a.
func (c FieldEdit) Field() string {
	var out strings.Builder
	for _, name := range members(c.Pointer) {
		if _, err := strconv.Atoi(name); err == nil {
			out.WriteString("[" + name + "]")
			continue
		}
		out.WriteString("." + name)
	}
	return out.String()
}

// members returns the elements of a JSON pointer.
func members(pointer string) (all []string) {
	for _, name := range strings.Split(pointer, "/")[1:] {
		all = append(all, jsonpointer.Unescape(name))
	}
	return all
}

// below returns the pointer of a member.
func below(pointer, name string) string {
	return pointer + "/" + jsonpointer.Escape(name)
}

// Number reports whether the changed value is a number or a boolean.
func (c FieldEdit) Number() bool {
	return len(c.Value) > 0 && strings.IndexByte("-0123456789tf", c.Value[0]) >= 0
}

// fits reports whether an object has what the change begins with.
func (c FieldEdit) fits(object any) bool {
	at := members(c.Pointer)
	if c.Added {
		at = at[:len(at)-1]
	}
	for _, name := range at {
		switch n := object.(type) {
		case map[string]any:
			object = n[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(n) {
				return false
			}
			object = n[i]
		default:
			return false
		}
	}
	return bytes.Equal(rawOf(object), c.Was)
}

// patch returns the JSON patch of a change.
func (c FieldEdit) patch() []byte {
	op := "replace"
	if c.Added {
		op = "add"
	}
	raw, _ := json.Marshal([]map[string]any{{"op": op, "path": c.Pointer, "value": c.Value}}) // it came from JSON
	return raw
}

// rawOf returns a value as JSON, which it came from.
func rawOf(v any) json.RawMessage {
	raw, _ := json.Marshal(v)
	return raw
}

// anew returns an object as its owner creates it: without what servers give to each new one.
func (o object) anew() map[string]any {
	body := runtime.DeepCopyJSON(o.body)
	template.Anew(body)
	metadata, _ := body["metadata"].(map[string]any)
	kept := map[string]any{}
	for _, name := range []string{"name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"} {
		if v, has := metadata[name]; has {
			kept[name] = v
		}
	}
	body["metadata"] = kept
	if slices.Contains(o.Subresources, string(Status)) {
		delete(body, string(Status))
	}
	return body
}

// maxParts is how many parts of one object are changed, maxChanges how many changes of a part are tried until one is
// accepted, and maxElements how many elements of a list are parts of their own.
const (
	maxParts    = 16
	maxChanges  = 5
	maxElements = 2
)

// traits decide whether an object is changed and created once more.
type traits struct {
	// passing reports that the object expires, is made anew by what owns it, or is being deleted.
	passing bool
	// controlled reports that a controller owns the object, and so makes others like it.
	controlled bool
	// edits identifies the objects of which one stands for the others when changes are tried.
	edits string
}

// traits returns the traits of an object of a shape.
func (o object) traits(shape string) traits {
	l := traits{edits: shape, passing: template.Ephemeral(groupOf(o.Form.APIVersion), o.Kind, o.body) || metadataOf(o.body)["deletionTimestamp"] != nil, controlled: controlled(o.body)}
	if o.IsCustom() {
		l.edits += contents(o.body)
	}
	return l
}

// besides tries the changes of objects, and the objects as new ones, and keeps what the server accepts: what another
// server refuses of that, it refuses because of the object. Rules of users depend on values, so that each custom
// resource with other contents is changed, and of other kinds one object of each shape that validation can see. Each object is created but those
// that a controller makes again and again. What another server has accepted is repeated, and nothing else.
func (t *pass) besides(ctx context.Context, all []*candidate) error {
	type trial struct{ edits, create bool }
	trials := make([]trial, len(all))
	for i, c := range all {
		if !t.Beside || t.other != nil || !c.Decodes() || c.passing {
			continue
		}
		trials[i] = trial{t.first(c.edits + " edit"), !c.controlled || t.first(c.shape+" create")}
	}
	return t.together(ctx, len(all), func(ctx context.Context, i int) error {
		c := all[i]
		before := t.accepted[c.Record]
		if !c.Decodes() || len(before) == 0 && trials[i] == (trial{}) {
			return nil
		}
		t.again(ctx, c.object, before)
		if trials[i].edits {
			for _, part := range parts(c.body) {
				t.changed(ctx, c.object, part)
			}
		}
		if trials[i].create {
			t.created(ctx, c.object)
		}
		return ctx.Err()
	})
}

// policyOrBinding is an admission policy, or a binding of one.
type policyOrBinding struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		PolicyName string `json:"policyName"`
	} `json:"spec"`
}

// policies lists policies or bindings; false if the server does not.
func (t *pass) policies(ctx context.Context, form Form) (all []policyOrBinding, known bool) {
	a := t.Conn.Do(ctx, client.Request{Method: http.MethodGet, Path: form.collection(""), UserAgent: manager})
	var list struct {
		Items []policyOrBinding `json:"items"`
	}
	known = a.Succeeded() && json.Unmarshal(a.Body, &list) == nil
	return list.Items, known
}

// isPoliced reports whether an admission policy is bound, as far as the server says it.
func (t *pass) isPoliced(ctx context.Context) bool {
	const policy = "AdmissionPolicy"
	for name, form := range t.Forms {
		kind, is := strings.CutSuffix(name, "Binding")
		if !is || !strings.HasPrefix(kind, policyGroup+" ") || !strings.HasSuffix(kind, policy) {
			continue
		}
		bindings, known := t.policies(ctx, form)
		all, served := t.policies(ctx, t.Forms[kind])
		if !known || !served || slices.ContainsFunc(bindings, func(b policyOrBinding) bool {
			return slices.ContainsFunc(all, func(p policyOrBinding) bool { return p.Metadata.Name == b.Spec.PolicyName })
		}) {
			return true
		}
	}
	return false
}

// created tries an object as a new one.
func (t *pass) created(ctx context.Context, o object) {
	if try, takes := o.try(ctx, t.Conn, Create); takes && ctx.Err() == nil {
		t.count(1, 0)
		if try.accepted() {
			o.Tries = append(o.Tries, try)
		}
	}
}

// changed tries the changes of a part until the server accepts one. Of a number it tries another value too.
func (t *pass) changed(ctx context.Context, o object, part [][]FieldEdit) {
	for _, values := range part {
		accepted := false
		for _, c := range values {
			try, takes := o.change(ctx, t.Conn, c)
			if !takes || ctx.Err() != nil {
				return
			}
			t.count(1, 0)
			if try.accepted() {
				o.Tries, accepted = append(o.Tries, try), true
				if !c.Number() {
					return
				}
			}
		}
		if accepted {
			return
		}
	}
}

// again repeats the changes that another server has accepted, and the object as a new one if that server took it.
func (t *pass) again(ctx context.Context, o object, before []Try) {
	for _, b := range before {
		var try Try
		takes := false
		switch {
		case b.Edit != nil && b.Edit.fits(o.body):
			try, takes = o.change(ctx, t.Conn, *b.Edit)
		case b.Write == Create:
			try, takes = o.try(ctx, t.Conn, Create)
		}
		if takes && ctx.Err() == nil {
			t.count(1, 0)
			o.Tries = append(o.Tries, try)
		}
	}
}

// change sends a change as a dry run; false if the object takes none, or is gone.
func (o object) change(ctx context.Context, conn *client.Connection, c FieldEdit) (Try, bool) {
	o.edit = &c
	try, takes := o.try(ctx, conn, Edit)
	try.Edit = &c
	return try, takes
}

// first reports whether nothing like it was tried before.
func (t *pass) first(what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, known := t.shapes[what]
	t.shapes[what] = 1
	return !known
}

// contents identifies what the owner of an object has written: all but its metadata and its status.
func contents(body map[string]any) string {
	own := maps.Clone(body)
	delete(own, "metadata")
	delete(own, string(Status))
	sum := sha256.Sum256(rawOf(own))
	return string(sum[:])
}

func metadataOf(body map[string]any) map[string]any {
	metadata, _ := body["metadata"].(map[string]any)
	return metadata
}

// controlled reports whether a controller owns an object, and so makes others like it.
func controlled(body map[string]any) bool {
	owners, _, _ := unstructured.NestedSlice(body, "metadata", "ownerReferences")
	return slices.ContainsFunc(owners, func(o any) bool {
		owner, _ := o.(map[string]any)
		return owner["controller"] == true
	})
}

// parts returns the changes of each part of an object, the outer parts first: of an object in it one value and each number,
// of a list one element more. Those of one part stand in for each other, the likeliest to be accepted first, and each is a
// list of values.
func parts(body map[string]any) (all [][][]FieldEdit) {
	type place struct {
		pointer string
		node    any
	}
	own := maps.Clone(body)
	for _, name := range []string{"apiVersion", "kind", "metadata", string(Status)} {
		delete(own, name)
	}
	queue := []place{{"", own}}
	for len(queue) > 0 && len(all) < maxParts {
		p := queue[0]
		queue = queue[1:]
		switch n := p.node.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(n)) {
				switch n[name].(type) {
				case map[string]any, []any:
					queue = append(queue, place{below(p.pointer, name), n[name]})
				}
			}
			all = append(all, ofMembers(p.pointer, n)...)
		case []any:
			for i := range n[:min(len(n), maxElements)] {
				queue = append(queue, place{below(p.pointer, strconv.Itoa(i)), n[i]})
			}
			all = append(all, ofElements(p.pointer, n))
		}
	}
	all = slices.DeleteFunc(all, func(part [][]FieldEdit) bool { return len(part) == 0 })
	for i, part := range all {
		all[i] = part[:min(len(part), maxChanges)]
	}
	return all[:min(len(all), maxParts)]
}

// ofMembers returns the changes of the values in an object: first those of which a server likely takes others. Each number
// is a part, since its format and its bounds are its own.
func ofMembers(pointer string, n map[string]any) (all [][][]FieldEdit) {
	var part [][]FieldEdit
	names := slices.Sorted(maps.Keys(n))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(strictness(a, n[a]), strictness(b, n[b])) })
	for _, name := range names {
		var values []FieldEdit
		for _, v := range others(n[name]) {
			values = append(values, FieldEdit{Pointer: below(pointer, name), Was: rawOf(n[name]), Value: rawOf(v)})
		}
		switch n[name].(type) {
		case int64, float64:
			all = append(all, [][]FieldEdit{values})
		case bool, string:
			for _, v := range values {
				part = append(part, []FieldEdit{v})
			}
		}
	}
	return append(all, part)
}

// strictness orders the values of an object: of what a text means, few others may be taken.
func strictness(name string, v any) int {
	_, isText := v.(string)
	switch {
	case slices.Contains([]string{"kind", "type", "apiVersion", "name"}, name):
		return 2
	case isText:
		return 1
	}
	return 0
}

// ofElements returns the changes that add an element to a list.
func ofElements(pointer string, n []any) (all [][]FieldEdit) {
	if len(n) == 0 {
		return nil
	}
	last := n[len(n)-1]
	add := func(v any) FieldEdit {
		return FieldEdit{Pointer: below(pointer, strconv.Itoa(len(n))), Was: rawOf(n), Value: rawOf(v), Added: true}
	}
	isNew := func(v any) bool { return !slices.ContainsFunc(n, func(e any) bool { return reflect.DeepEqual(e, v) }) }
	switch last := last.(type) {
	case map[string]any:
		for _, v := range otherElements(last) {
			all = append(all, []FieldEdit{add(v)})
		}
	case int64, float64:
		var numbers []FieldEdit
		for _, v := range slices.DeleteFunc(others(last), func(v any) bool { return !isNew(v) }) {
			numbers = append(numbers, add(v))
		}
		if len(numbers) > 0 {
			all = append(all, numbers)
		}
	case string:
		for _, v := range slices.DeleteFunc(others(last), func(v any) bool { return !isNew(v) }) {
			all = append(all, []FieldEdit{add(v)})
		}
	}
	return all
}

// otherElements returns elements like one of a list: the same, one with another name, and one with other values.
func otherElements(like map[string]any) []any {
	named, other := maps.Clone(like), maps.Clone(like)
	for name, v := range like {
		all := others(v)
		if len(all) == 0 {
			continue
		}
		if other[name] = all[0]; slices.Contains([]string{"name", "key", "id"}, name) {
			named[name] = all[len(all)-1]
		}
	}
	return []any{named, other, like}
}

// others returns values like another one, the likeliest to be taken first; nil of what has members.
func others(v any) []any {
	switch v := v.(type) {
	case bool:
		return []any{!v}
	case int64:
		next := v - 1
		if v < 2 { // 0 is often no number that counts
			next = v + 1
		}
		small := int64(1)
		for small == v || small == next {
			small++
		}
		return []any{next, small}
	case float64:
		return []any{v / 2, float64(1) + v}
	case string:
		return otherTexts(v)
	}
	return nil
}

// otherTexts returns texts of the same form as another one, and one that is longer.
func otherTexts(text string) (all []any) {
	const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if at := strings.LastIndexAny(text, digits); at >= 0 {
		digit := text[at] + 1
		if text[at] == '9' {
			digit = '8'
		}
		all = append(all, text[:at]+string(digit)+text[at+1:])
	}
	if at := strings.LastIndexAny(text, letters); at >= 0 {
		letter := text[at] + 1
		if text[at] == 'z' || text[at] == 'Z' {
			letter = text[at] - 1
		}
		all = append(all, text[:at]+string(letter)+text[at+1:])
	}
	return append(all, text+"a")
}

// groupOf returns the group of a version; "" for the core group.
func groupOf(apiVersion string) string {
	group, _ := cut(apiVersion)
	return group
}

// isCreated reports whether a server would create an object, but for one of its name that is there: it validates a new
// object before it looks for that.
func isCreated(a client.Answer) bool {
	return a.Code == http.StatusConflict && a.Status != nil && a.Status.Reason == "AlreadyExists"
}

// acceptedOf returns the tries of a change, and of an object as a new one: none of them was refused.
func acceptedOf(all []Try) (of []Try) {
	for _, t := range all {
		if t.Edit != nil || t.Write == Create {
			of = append(of, t)
		}
	}
	return of
}
