package apiserver_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// change is what a client sends for param and params; null removes a field.
type change map[string]any

// list returns a JSON list.
func list(all ...any) []any { return all }

// row is a row of the guide's tables: what is sent for an object with param a and params a and
// x, and either the resulting values or the field that is refused.
type row struct {
	name    string
	sent    change
	param   string
	params  []any
	refused string
}

// updates are the rows of "Upon any update operation (including patch)".
func updates() []row {
	return []row{
		{"neither changed", change{}, "a", list("a", "x"), ""},
		{"singular cleared", change{"param": ""}, "", nil, ""},
		{"singular cleared by null", change{"param": nil}, "", nil, ""},
		{"plural cleared", change{"params": list()}, "a", list("a", "x"), ""},
		{"plural cleared by null", change{"params": nil}, "a", list("a", "x"), ""},
		{"singular changed", change{"param": "b"}, "b", list("b"), ""},
		{"plural alone changed", change{"params": list("a", "y")}, "a", list("a", "y"), ""},
		{"plural alone changed, the first too", change{"params": list("b", "x")}, "", nil, "spec.params[0]"},
		{"both changed", change{"param": "b", "params": list("b", "y")}, "b", list("b", "y"), ""},
		{"both changed and different", change{"param": "b", "params": list("c")}, "", nil, "spec.params[0]"},
		{"singular cleared, plural changed", change{"param": "", "params": list("b")}, "", nil, "spec.param"},
		{"both cleared", change{"param": "", "params": nil}, "", nil, ""},
		// A client that does not know the plural sends the whole object.
		{"singular changed, plural left out", change{"param": "b", "params": nil}, "b", list("b"), ""},
	}
}

// settings are those rows for an object without param and params.
func settings() []row {
	return []row{
		{"neither set", change{}, "", nil, ""},
		{"singular set", change{"param": "b"}, "b", list("b"), ""},
		{"plural alone set", change{"params": list("b")}, "", nil, "spec.param"},
		{"both set", change{"param": "b", "params": list("b", "y")}, "b", list("b", "y"), ""},
		{"both set and different", change{"param": "b", "params": list("c")}, "", nil, "spec.params[0]"},
	}
}

// creations are the rows of "Upon any create operation".
func creations() []row {
	return []row{
		{"singular only", change{"param": "a"}, "a", list("a"), ""},
		{"singular, empty plural", change{"param": "a", "params": list()}, "a", list("a"), ""},
		{"both equal", change{"param": "a", "params": list("a", "x")}, "a", list("a", "x"), ""},
		{"both different", change{"param": "a", "params": list("x", "a")}, "", nil, "spec.params[0]"},
		{"plural only", change{"params": list("a")}, "", nil, "spec.param"},
		{"plural, empty singular", change{"param": "", "params": list("")}, "", nil, "spec.param"},
		{"neither", change{}, "", nil, ""},
	}
}

// verbs are the ways to write. A row must have the same result with each.
var verbs = []string{"put", mergePatch, strategicPatch, jsonPatch, applyPatch}

// in is a version with its name for param.
type in struct{ version, param string }

func (v in) path() string {
	return "/apis/frobbing.example.com/" + v.version + "/namespaces/default/frobbers"
}

// body is an object of the version.
func (v in) body(name string, sent change) string {
	spec, err := json.Marshal(v.named(sent))
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"apiVersion":"frobbing.example.com/%s","kind":"Frobber","metadata":{"name":%q},"spec":%s}`, v.version, name, spec)
}

// named renames the fields for the version.
func (v in) named(sent change) change {
	named := change{}
	for name, value := range sent {
		if name == "param" {
			name = v.param
		}
		named[name] = value
	}
	return named
}

// create creates an object, by apply if a later write applies it.
func (v in) create(s *server, verb, name string, sent change) answer {
	if verb == applyPatch {
		return s.patch(v.path()+"/"+name+"?fieldManager=user", applyPatch, v.body(name, sent))
	}
	return s.do("POST", v.path(), v.body(name, sent))
}

// write sends a change of the object was.
func (v in) write(s *server, verb, name string, was, sent change) answer {
	whole := maps.Clone(was)
	maps.Copy(whole, sent)
	if verb == applyPatch {
		maps.DeleteFunc(whole, func(_ string, value any) bool { return value == nil })
	}
	switch verb {
	case "put":
		return s.do("PUT", v.path()+"/"+name, v.body(name, whole))
	case applyPatch:
		return s.patch(v.path()+"/"+name+"?fieldManager=user&force=true", verb, v.body(name, whole))
	case jsonPatch:
		return s.patch(v.path()+"/"+name, verb, v.operations(sent))
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": change{"row": "r"}}, "spec": v.named(sent)})
	require.NoError(s.t, err)
	return s.patch(v.path()+"/"+name, verb, string(patch))
}

// operations returns the change as a JSON patch.
func (v in) operations(sent change) string {
	all := []map[string]any{{"op": "add", "path": "/metadata/labels", "value": change{"row": "r"}}}
	for name, value := range v.named(sent) {
		operation := map[string]any{"op": "add", "path": "/spec/" + name, "value": value}
		if value == nil {
			operation = map[string]any{"op": "remove", "path": "/spec/" + name}
		}
		all = append(all, operation)
	}
	patch, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(patch)
}

// shows compares an object with the expected values.
func (v in) shows(t *testing.T, o map[string]any, param string, params []any, where string) {
	t.Helper()
	assert.Equal(t, param, at(o, "spec", v.param), where)
	if params == nil {
		assert.Nil(t, at(o, "spec", "params"), where)
		return
	}
	assert.Equal(t, params, at(o, "spec", "params"), where)
}

// refuses checks that an answer complains about the expected field only.
func (r row) refuses(t *testing.T, a answer, v in) {
	t.Helper()
	causes, _ := at(a.json(t, 422), "details", "causes").([]any)
	if assert.Len(t, causes, 1) {
		assert.Equal(t, r.refused, at(causes[0], "field"), v.version)
	}
}

// pair is a release and the one before it, on one store.
type pair struct{ old, new *server }

func pluralPair(t *testing.T) pair {
	k := newKernel(t)
	return pair{old: k.start(t, "1.5"), new: k.start(t, "1.6")}
}

var (
	inV6  = in{"v6", "param"}
	every = []in{inV6, {"v5", "arg"}, {"v7beta1", "param"}}
)

// name returns an object's name for a row and a verb.
func name(words ...string) string {
	return strings.NewReplacer(" ", "-", ",", "", "application/", "", "+", "-").Replace(strings.Join(words, "-"))
}

func TestFrobberPluralOnCreate(t *testing.T) {
	p := pluralPair(t)
	for _, v := range every {
		for _, verb := range []string{"put", applyPatch} {
			for _, r := range creations() {
				t.Run(name(v.version, verb, r.name), func(t *testing.T) {
					n := name("c", v.version, verb, r.name)
					a := v.create(p.new, verb, n, r.sent)
					if r.refused != "" {
						r.refuses(t, a, v)
						return
					}
					v.shows(t, a.json(t, 201), r.param, r.params, "the answer")
					afterwards(t, p, v, verb, n, r)
				})
			}
		}
	}
}

func TestFrobberPluralOnUpdate(t *testing.T) {
	p := pluralPair(t)
	both := change{"param": "a", "params": list("a", "x")}
	for _, v := range every {
		for _, verb := range verbs {
			for _, r := range updates() {
				t.Run(name(v.version, verb, r.name), func(t *testing.T) { play(t, p, v, verb, both, r) })
			}
			for _, r := range settings() {
				t.Run(name(v.version, verb, r.name), func(t *testing.T) { play(t, p, v, verb, change{"param": ""}, r) })
			}
		}
	}
}

// play creates an object, plays a row, and then what may follow.
func play(t *testing.T, p pair, v in, verb string, was change, r row) {
	n := name("u", v.version, verb, r.name)
	before := v.create(p.new, verb, n, was).json(t, 201)
	a := v.write(p.new, verb, n, was, r.sent)
	if r.refused != "" {
		r.refuses(t, a, v)
		assert.Equal(t, before, p.new.do("GET", v.path()+"/"+n, "").json(t, 200))
		return
	}
	v.shows(t, a.json(t, 200), r.param, r.params, "the answer")
	v.shows(t, p.new.do("GET", v.path()+"/"+n, "").json(t, 200), r.param, r.params, "what is read")
	afterwards(t, p, v, verb, n, r)
}

// afterwards rolls back: the release before shows what it knows, and drops the rest when it
// writes, so that only its own change of param counts for 1.6. Then it plays the row again
// there.
func afterwards(t *testing.T, p pair, v in, verb, n string, r row) {
	t.Helper()
	v.shows(t, p.old.do("GET", v.path()+"/"+n, "").json(t, 200), r.param, nil, "read by 1.5")
	for _, param := range []any{r.sent["param"], "c", ""} {
		if param == nil {
			param = r.param
		}
		sent := change{"param": param}
		was := change{"param": r.param}
		v.shows(t, v.write(p.old, verb, n, was, sent).json(t, 200), param.(string), nil, "written by 1.5")
		var params []any
		if param != "" {
			params = list(param)
		}
		v.shows(t, p.new.do("GET", v.path()+"/"+n, "").json(t, 200), param.(string), params, "read by 1.6 again")
	}
}

// TestSmokePluralOfOldObjects plays the rows for objects that the release before has stored:
// they count as having a plural of one element.
func TestFrobberPluralOfOldObjects(t *testing.T) {
	p := pluralPair(t)
	for _, verb := range verbs {
		for _, r := range updates() {
			t.Run(name(verb, r.name), func(t *testing.T) {
				n, was := name("o", verb, r.name), change{"param": "a"}
				inV6.create(p.old, verb, n, was).json(t, 201)
				a := inV6.write(p.new, verb, n, was, r.sent)
				if r.refused != "" {
					r.refuses(t, a, inV6)
					return
				}
				want := r.params
				if assert.ObjectsAreEqual(list("a", "x"), want) { // existing values stay
					want = list("a")
				}
				inV6.shows(t, a.json(t, 200), r.param, want, "the answer")
			})
		}
	}
}

// TestSmokePluralOnRead: each way to read fills in the plural, and a patch applies to the
// object that clients see. Reading stores nothing, and a write of another field does not change
// the spec.
func TestFrobberPluralOnRead(t *testing.T) {
	k := newKernel(t)
	old := k.start(t, "1.5")
	old.create("a", `{"param":"a"}`)
	stored := k.stored(t)
	s := k.start(t, "1.6")
	w := s.watching(v6 + "?watch=1&resourceVersion=0")
	inV6.shows(t, w.next()["object"].(map[string]any), "a", list("a"), "watched")
	for _, v := range every {
		v.shows(t, s.do("GET", v.path()+"/a", "").json(t, 200), "a", list("a"), v.version)
		for _, how := range []string{"", "?resourceVersion=0"} {
			items := s.do("GET", v.path()+how, "").json(t, 200)["items"].([]any)
			require.Len(t, items, 1)
			v.shows(t, items[0].(map[string]any), "a", list("a"), v.version+" listed")
		}
	}
	for key, value := range stored {
		assert.Equal(t, value, k.stored(t)[key])
	}
	labelled := s.patch(v6+"/a", mergePatch, `{"metadata":{"labels":{"a":"b"}}}`).json(t, 200)
	assert.Equal(t, 1., at(labelled, "metadata", "generation"))
	o := s.patch(v6+"/a", jsonPatch, `[{"op":"add","path":"/spec/params/-","value":"x"}]`).json(t, 200)
	inV6.shows(t, o, "a", list("a", "x"), "patched")
	assert.Equal(t, 2., at(o, "metadata", "generation"))
	put := s.do("PUT", v6+"/a", body("a", `{"param":"a"}`)).json(t, 200)
	inV6.shows(t, put, "a", list("a", "x"), "an old client's write")
	assert.Equal(t, 2., at(put, "metadata", "generation"), "which changes nothing")
	for _, sub := range []string{"/status", "/scale"} {
		s.patch(v6+"/a"+sub, mergePatch, `{"metadata":{}}`).json(t, 200)
		inV6.shows(t, s.do("GET", v6+"/a", "").json(t, 200), "a", list("a", "x"), sub)
	}
}

// TestSmokeSingleDualAmbiguity is the guide's example: an old client's replacement, and its
// patch, which results in an object like the one that a new client must not send.
func TestFrobberSingleDualAmbiguity(t *testing.T) {
	s := newKernel(t).start(t, "1.6")
	o := s.create("d", `{"height":42,"width":3,"param":"super"}`)
	inV6.shows(t, o, "super", list("super"), "created")
	o = s.do("PUT", v6+"/d", body("d", `{"height":3,"width":42,"param":"super"}`)).json(t, 200)
	inV6.shows(t, o, "super", list("super"), "replaced")
	assert.Equal(t, 422, s.do("PUT", v6+"/d", body("d", `{"height":3,"width":42,"params":["super","duper"]}`)).code)
	o = s.patch(v6+"/d", mergePatch, `{"spec":{"param":""}}`).json(t, 200)
	inV6.shows(t, o, "", nil, "patched")
}
