package try

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// release is a small server: accepts says what it takes, given the stored object or nil.
type release struct {
	accepts func(object, before map[string]any) bool
	speaks  func(object map[string]any) string // of an object that it does not take; nil: nothing
	drops   string                             // a field of spec that it does not know
	atomic  bool                               // an apply replaces maps

	mu     sync.Mutex
	stored map[string]any
	writes int // requests that were no dry runs

}

func (s *release) start(t *testing.T) RuleServer {
	at := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(at.Close)
	conn, err := client.Connect(client.Endpoint{URL: at.URL})
	require.NoError(t, err)
	return RuleServer{Server: NewServer(conn, nil), Namespace: "here", Resources: []published.Resource{{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets", Namespaced: true}}}
}

func (s *release) serve(rw http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dry := r.URL.Query().Get("dryRun") == "All"
	if !dry {
		s.writes++
	}
	if r.Method == http.MethodDelete {
		s.stored = nil
		reply(rw, 200, map[string]any{})
		return
	}
	if !strings.HasPrefix(r.URL.Path, "/apis/example.dev/v1/namespaces/here/gadgets") {
		reply(rw, 404, map[string]any{})
		return
	}
	var object map[string]any
	_ = json.NewDecoder(r.Body).Decode(&object)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/apply") {
		reply(rw, 200, s.applied(object))
		return
	}
	var before map[string]any
	if r.Method == http.MethodPut {
		before = s.stored
	}
	if spec, is := object["spec"].(map[string]any); is {
		delete(spec, s.drops)
	}
	if !s.accepts(object, before) {
		said := ""
		if s.speaks != nil {
			said = s.speaks(object)
		}
		reply(rw, 422, map[string]any{"kind": "Status", "message": "refused", "details": map[string]any{"causes": []any{map[string]any{"field": "spec.size", "message": said}}}})
		return
	}
	if !dry {
		s.stored = object
	}
	reply(rw, 201, object)
}

// applied returns the stored object with the maps of an apply.
func (s *release) applied(object map[string]any) map[string]any {
	after := runtime.DeepCopyJSON(s.stored)
	for name, value := range object["spec"].(map[string]any) {
		is, _ := spec(after, name).(map[string]any)
		if is == nil || s.atomic {
			is = map[string]any{}
			after["spec"].(map[string]any)[name] = is
		}
		maps.Copy(is, value.(map[string]any))
	}
	return after
}

func reply(rw http.ResponseWriter, code int, body map[string]any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(code)
	_ = json.NewEncoder(rw).Encode(body)
}

func all(_, _ map[string]any) bool { return true }

// spec returns a member of an object's spec.
func spec(object map[string]any, name string) any {
	of, _ := object["spec"].(map[string]any)
	return of[name]
}

func gadget(spec map[string]any) map[string]any {
	return map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "metadata": map[string]any{"name": "g"}, "spec": spec}
}

// target is a rule of a gadget's field.
func target(name, said string, path string, object map[string]any) RuleTarget {
	return RuleTarget{Specimen: Specimen{Target: Target{ID: "it", APIVersion: "example.dev/v1", Kind: "Gadget", Path: path}, Object: object}, Name: name, New: said}
}

func try(t *testing.T, old, new *release, targets ...RuleTarget) []Result {
	results, err := TryRules(t.Context(), old.start(t), new.start(t), targets)
	require.NoError(t, err)
	return results
}

// TestTightened: a value past a new bound is accepted by the old release alone, and nothing is
// stored to find out.
func TestTightened(t *testing.T) {
	old := &release{accepts: all}
	bounded := &release{accepts: func(object, _ map[string]any) bool { n, _ := spec(object, "size").(float64); return n <= 5 }}
	object := gadget(map[string]any{"size": int64(3)})
	got := try(t, old, bounded, target("maximum", "+k8s:maximum=5", ".spec.size", object))[0]
	require.Len(t, got.Trials, 1)
	trial := got.Trials[0]
	assert.Equal(t, int64(6), trial.Value)
	assert.Equal(t, term.Old, trial.AcceptedBy())
	assert.Equal(t, int64(6), spec(trial.Object, "size"))
	assert.Equal(t, int64(3), spec(trial.Before, "size"))
	assert.Equal(t, []string{"spec.size"}, trial.New.Causes)
	assert.Equal(t, 2, got.BothAccept)
	assert.Equal(t, trial.Object, trial.Specimen().Object)
	assert.Equal(t, trial.Before, trial.Specimen().Bystander)
	assert.Zero(t, old.writes+bounded.writes)

	back := try(t, bounded, &release{accepts: all}, target("maximum", "+k8s:maximum=5", ".spec.size", object))[0]
	require.Len(t, back.Trials, 1)
	assert.Equal(t, term.New, back.Trials[0].AcceptedBy())
}

// TestAlike: a rule that moved, and that both releases enforce, needs no journey.
func TestAlikeValues(t *testing.T) {
	required := func(object, _ map[string]any) bool { v, _ := spec(object, "name").(string); return v != "" }
	got := try(t, &release{accepts: required}, &release{accepts: required}, target("required", "+k8s:required", ".spec.name", gadget(map[string]any{"name": "a"})))[0]
	assert.True(t, got.Alike())
	assert.Equal(t, 2, got.BothRefuse)
	got = try(t, &release{accepts: all}, &release{accepts: all}, target("required", "+k8s:required", ".spec.name", gadget(map[string]any{"name": "a"})))[0]
	assert.False(t, got.Alike(), "no value violates the rule")
}

// TestUnanswered: values that a server gives no answer to leave it open whether the releases agree. A
// value on which one release panics, and that the other accepts, is a trial.
func TestUnanswered(t *testing.T) {
	it, c := target("maximum", "", ".spec.size", gadget(map[string]any{"size": int64(3)})), change{value: nil}
	accepted, refused, panicked, busy := Answer{Code: 201, Accepted: true}, Answer{Code: 422}, Answer{Panicked: true}, Answer{Code: 503}
	for _, answers := range [][2]Answer{{busy, busy}, {accepted, busy}, {panicked, panicked}, {refused, panicked}} {
		for _, stored := range []bool{false, true} {
			got := Result{BothAccept: 1}
			if stored {
				(&play{}).keepsBoth(it, c, it.Object, &pairOfAnswers{answers: answers}, false, &got)
			} else {
				(&play{}).compare(it, c, it.Object, it.Object, answers, [2]map[string]any{}, &got)
			}
			assert.Equal(t, Result{Sent: 1, BothAccept: 1, Unanswered: 1}, got)
			assert.False(t, got.Alike())
		}
	}
	got := Result{}
	(&play{}).compare(it, c, nil, it.Object, [2]Answer{accepted, panicked}, [2]map[string]any{}, &got)
	require.Len(t, got.Trials, 1)
	assert.Equal(t, term.Old, got.Trials[0].AcceptedBy())
	assert.True(t, got.Trials[0].New.Panicked)
}

// TestDropped: a release that does not have the field does not accept the value.
func TestDropped(t *testing.T) {
	bounded := func(object, _ map[string]any) bool { n, _ := spec(object, "size").(float64); return n <= 5 }
	got := try(t, &release{accepts: all, drops: "size"}, &release{accepts: bounded}, target("maximum", "+k8s:maximum=5", ".spec.size", gadget(map[string]any{"size": int64(3)})))[0]
	assert.Empty(t, got.Trials)
	assert.NotEmpty(t, got.Reason)
	assert.False(t, got.Alike())
}

// TestHeld: the place of a change is named as findings name it, unless the change is of the key.
func TestHeld(t *testing.T) {
	bounded := &release{accepts: func(object, _ map[string]any) bool {
		part := spec(object, "parts").([]any)[0].(map[string]any)
		return part["size"].(float64) <= 5 && part["name"] != "Not_A_Label"
	}}
	object := gadget(map[string]any{"parts": []any{map[string]any{"name": "a", "size": int64(3)}}})
	size, name := target("maximum", "+k8s:maximum=5", ".spec.parts[].size", object), target("format", "+k8s:format=k8s-short-name", ".spec.parts[].name", object)
	size.Held, name.Held = `.spec.parts[name="a"].size`, `.spec.parts[name="a"].name`
	results := try(t, &release{accepts: all}, bounded, size, name)
	require.Len(t, results[0].Trials, 1)
	require.Len(t, results[1].Trials, 1)
	assert.Equal(t, size.Held, results[0].Trials[0].Held)
	assert.Equal(t, ".spec.parts[0].name", results[1].Trials[0].Held)
}

// TestKeys: a rule of the keys of a map is tried with further keys.
func TestKeys(t *testing.T) {
	strict := &release{accepts: func(object, _ map[string]any) bool {
		sizes, _ := spec(object, "sizes").(map[string]any)
		_, has := sizes["Not_A_Label"]
		return !has
	}}
	got := try(t, &release{accepts: all}, strict, target("eachKey: format", "+k8s:eachKey=+k8s:format=k8s-short-name", ".spec.sizes", gadget(map[string]any{"sizes": map[string]any{"a": int64(1)}})))[0]
	require.Len(t, got.Trials, 1)
	assert.Equal(t, map[string]any{"a": int64(1), "Not_A_Label": int64(1)}, got.Trials[0].Value)
}

// TestImmutable: the change of a stored object is tried, and the object does not stay.
func TestImmutable(t *testing.T) {
	old := &release{accepts: all}
	fixed := &release{accepts: func(object, before map[string]any) bool {
		return before == nil || spec(object, "name") == spec(before, "name")
	}}
	got := try(t, old, fixed, target("immutable", "+k8s:immutable", ".spec.name", gadget(map[string]any{"name": "a"})))[0]
	require.Len(t, got.Trials, 2)
	for _, trial := range got.Trials {
		assert.True(t, trial.Update)
		assert.Equal(t, term.Old, trial.AcceptedBy())
	}
	assert.Equal(t, "aa", got.Trials[0].Value)
	assert.True(t, got.Trials[1].Removed)
	assert.Nil(t, old.stored)
	assert.Nil(t, fixed.stored)
}

// TestUnion: a member is tried beside another one, which another target holds.
func TestUnion(t *testing.T) {
	one := func(object, _ map[string]any) bool { return spec(object, "a") == nil || spec(object, "b") == nil }
	a := target("unionMember", "+k8s:unionMember", ".spec.a", gadget(map[string]any{"a": "x"}))
	b := target("unionMember", "+k8s:unionMember", ".spec.b", gadget(map[string]any{"b": "y"}))
	b.ID = "other"
	for _, got := range try(t, &release{accepts: all}, &release{accepts: one}, a, b) {
		require.Len(t, got.Trials, 1, got)
		assert.Equal(t, "x", spec(got.Trials[0].Object, "a"))
		assert.Equal(t, "y", spec(got.Trials[0].Object, "b"))
	}
}

// TestUnfit: what cannot be tried says why, and nothing of it is judged.
func TestUnfit(t *testing.T) {
	unknown := target("required", "", ".spec.name", gadget(nil))
	unknown.Kind = "Widget"
	refused := target("required", "", ".spec.name", gadget(map[string]any{"name": "a"}))
	none := target("required", "", ".spec.name", nil)
	nobody := &release{accepts: func(_, _ map[string]any) bool { return false }}
	for _, got := range try(t, nobody, nobody, unknown, refused, none) {
		assert.NotEmpty(t, got.Reason)
		assert.False(t, got.Alike())
		assert.Empty(t, got.Trials)
	}
}

// TestRefused: where a release refuses the valid object itself, that is the difference.
func TestRefused(t *testing.T) {
	nobody := &release{accepts: func(_, _ map[string]any) bool { return false }}
	object := gadget(map[string]any{"name": "a", "size": int64(3)})
	results := try(t, nobody, &release{accepts: all}, target("required", "", ".spec.size", object), target("required", "", ".spec.name", object))
	require.Len(t, results[0].Trials, 1)
	trial := results[0].Trials[0]
	assert.Nil(t, trial.Before)
	assert.Equal(t, int64(3), trial.Value)
	assert.Equal(t, term.New, trial.AcceptedBy())
	assert.Empty(t, results[1].Trials, "the refusal names another field")
	assert.NotEmpty(t, results[1].Reason)
}

// TestStatements: the rule is what is inside the tags that say when it holds.
func TestStatements(t *testing.T) {
	for text, want := range map[string][]stated{
		`+k8s:beta(since: "1.37")=+k8s:maxLength=63`:                           {{"maxLength", "63"}},
		"+k8s:required\n+k8s:format=\"k8s-short-name\"":                        {{"required", ""}, {"format", "k8s-short-name"}},
		`+k8s:alpha=+k8s:ifEnabled(Gate)=+k8s:minimum=0`:                       {{"minimum", "0"}},
		`ifEnabled(Gate): eachVal: maxBytes=64`:                                {{"maxBytes", "64"}},
		"required\nlistMapKey=name":                                            {{"required", ""}, {"listMapKey", "name"}},
		`+k8s:maximum=1000 # the highest`:                                      {{"maximum", "1000"}},
		`+k8s:beta(since: "1.37")=+k8s:item(type: "A")=+k8s:zeroOrOneOfMember`: {{"zeroOrOneOfMember", ""}},
	} {
		assert.Equal(t, want, RuleTarget{New: text}.statements(), text)
		assert.Equal(t, want, RuleTarget{Name: want[0].name, Old: text}.statements(), text)
	}
	assert.Equal(t, []stated{{"enum", "a, b"}, {"enum", "a"}}, RuleTarget{Name: "enum", Old: "a, b", New: "a"}.statements())
	assert.Equal(t, []stated{{"self.a > 1", "self.a > 1"}}, RuleTarget{Name: "self.a > 1", New: "self.a > 1"}.statements())
	assert.Equal(t, []stated{{"maximum", "5"}, {"maximum", "3"}}, RuleTarget{Name: "maximum", Old: "5", New: "3"}.statements())
}

// TestLocate: published paths and those of findings name a place in an object.
func TestLocate(t *testing.T) {
	object := gadget(map[string]any{
		"parts": []any{map[string]any{"name": "a"}, map[string]any{"name": "b", "sizes": []any{int64(1)}}},
		"more":  map[string]any{"k.x": map[string]any{"on": true}},
	})
	for text, want := range map[string]string{
		".spec.parts[].name":             ".spec.parts[0].name",
		`.spec.parts[name="b"].sizes[]`:  ".spec.parts[1].sizes[0]",
		".spec.more[].on":                `.spec.more["k.x"].on`,
		".spec.parts[].absent":           ".spec.parts[0].absent",
		".spec.absent.deeper":            ".spec.absent.deeper",
		".spec.absent[].deeper":          "",
		`.spec.parts[name="none"].sizes`: "",
	} {
		at, found := locate(object, text)
		assert.Equal(t, want != "", found, text)
		if found {
			assert.Equal(t, want, pathText(at), text)
		}
	}
}

func pathText(p fieldpath.Path) string { return path.String(p) }

// TestMoves: a rule of changes is tried in each direction: a number that falls, a member that goes,
// an element that goes. What both releases accept is no verdict.
func TestMoves(t *testing.T) {
	size := func(o map[string]any) float64 { n, _ := spec(o, "size").(float64); return n }
	for name, c := range map[string]struct {
		path, rule string
		object     map[string]any
		accepts    func(object, before map[string]any) bool
	}{
		"rises": {".spec.size", "self >= oldSelf", map[string]any{"size": int64(3)}, func(o, before map[string]any) bool { return before == nil || size(o) >= size(before) }},
		"stays": {".spec", "!has(oldSelf.name) || has(self.name)", map[string]any{"name": "a", "size": int64(3)}, func(o, before map[string]any) bool { return before == nil || spec(o, "name") != nil }},
		"grows": {".spec.list", "oldSelf.all(o, self.exists(x, x == o))", map[string]any{"list": []any{"a", "b"}}, func(o, before map[string]any) bool {
			now, _ := spec(o, "list").([]any)
			was, _ := spec(before, "list").([]any)
			return before == nil || len(now) >= len(was)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := try(t, &release{accepts: all}, &release{accepts: c.accepts}, target(c.rule, c.rule, c.path, gadget(c.object)))[0]
			require.NotEmpty(t, got.Trials)
			assert.Equal(t, term.Old, got.Trials[0].AcceptedBy())
			assert.True(t, got.Trials[0].Update)
			got = try(t, &release{accepts: all}, &release{accepts: all}, target(c.rule, c.rule, c.path, gadget(c.object)))[0]
			assert.Empty(t, got.Trials)
			assert.False(t, got.Alike())
		})
	}
}

// TestOtherBound: an object that one release refuses for another bound gets a value that both accept
// first, so that only the rule itself is tried.
func TestOtherBound(t *testing.T) {
	within := func(low, high float64) func(object, _ map[string]any) bool {
		return func(object, _ map[string]any) bool {
			n, _ := spec(object, "size").(float64)
			return n >= low && n <= high
		}
	}
	bound := target("maximum", "9", ".spec.size", gadget(map[string]any{"size": int64(1)}))
	bound.Old = "10"
	got := try(t, &release{accepts: within(1, 10)}, &release{accepts: within(2, 9)}, bound)[0]
	require.Len(t, got.Trials, 1)
	assert.Equal(t, int64(10), got.Trials[0].Value)
	got = try(t, &release{accepts: within(1, 10)}, &release{accepts: within(2, 10)}, bound)[0]
	require.Len(t, got.Trials, 1, "only the value that the object had")
	assert.Equal(t, int64(1), got.Trials[0].Value)
}

// TestPartsOf: alternatives of members are tried on an object without each of them, and without any.
func TestPartsOf(t *testing.T) {
	some := func(object, _ map[string]any) bool { return spec(object, "name") != nil || spec(object, "size") != nil }
	got := try(t, &release{accepts: all}, &release{accepts: some}, target("anyOf", `[{"required":["name"]},{"required":["size"]}]`, ".spec", gadget(map[string]any{"name": "a"})))[0]
	require.NotEmpty(t, got.Trials)
	assert.Equal(t, map[string]any{}, got.Trials[0].Value)
	got = try(t, &release{accepts: some}, &release{accepts: some}, target("anyOf", `[{"required":["name"]},{"required":["size"]}]`, ".spec", gadget(map[string]any{"name": "a"})))[0]
	assert.Empty(t, got.Trials)
}

// TestTimeUp: what was answered until the time was over stays, and the rest has that reason. A context that ends for
// something else ends the work.
func TestRulesTimeUp(t *testing.T) {
	for _, cause := range []error{ErrTimeUp, errors.New("interrupted")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		creates := 0
		ends := func(_, _ map[string]any) bool {
			if creates++; creates > 40 {
				cancel(cause)
			}
			return true
		}
		small := func(object, _ map[string]any) bool { return spec(object, "size").(float64) <= 10 }
		var targets []RuleTarget
		for i := range 20 {
			targets = append(targets, target("maximum", "10", ".spec.size", gadget(map[string]any{"size": int64(5), "of": int64(i)})))
		}
		old, new := &release{accepts: ends}, &release{accepts: small}
		got, err := TryRules(ctx, old.start(t), new.start(t), targets)
		assert.Equal(t, cause != ErrTimeUp, err != nil, "%v", err) //nolint:errorlint // this one
		if err != nil {
			continue
		}
		cut := 0
		for _, r := range got {
			if r.Reason == ErrTimeUp.Error() {
				cut++
			} else {
				assert.NotEmpty(t, r.Trials)
			}
		}
		assert.Positive(t, cut)
	}
}
