package try

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestReadLiterals: a rule's constants belong to the members that it compares with them.
func TestReadLiterals(t *testing.T) {
	for text, want := range map[string]map[string][]any{
		"!has(self.tier) || self.tier != 'large' || self.replicas >= 3": {".tier": {"large", "no-such-value"}, ".replicas": {int64(3), int64(2), int64(4)}},
		"self.metadata.name.size() < 3":                                 {".metadata.name": {"aa", "aaa", "aaaa"}},
		"self.min <= self.max":                                          {".min": {int64(1), int64(2)}, ".max": {int64(1), int64(2)}},
		"self.mode in ['a', 'b'] && self.on":                            {".mode": {"a", "no-such-value", "b"}, ".on": {true, false}},
		"has(self.a)":                                                   {".a": {"a", int64(1), true}},
		"self.a.startsWith('x-')":                                       {".a": {"x-", "no-such-value", ""}},
		"3 < 4":                                                         {},
		"self.jobs.all(j, !has(j.cpu) || j.cpu < 100)":                  {".jobs[].cpu": {int64(100), int64(99), int64(101)}},
		"self.exists(j, j == 'main')":                                   {"[]": {"main", "no-such-value"}},
		"self.all(i, j, j == 'x')":                                      {"[]": {"x", "no-such-value"}},
		"self.a.all(x, x.on) && self.b.all(x, x.on)":                    {".a[].on": {true, false}, ".b[].on": {true, false}},
		"self.a.all(x, x.b.exists(y, y.n > 1))":                         {".a[].b[].n": {int64(1), int64(0), int64(2)}},
		"self.a.filter(x, x.on).all(y, y.n == 1)":                       {".a[].on": {true, false}, ".a[].n": {int64(1), int64(0), int64(2)}},
		`self.?mode.orValue("a") != "b"`:                                {".mode": {"b", "no-such-value"}},
		"self.__namespace__ != 'x' && self.max__dash__size <= 5":        {".namespace": {"x", "no-such-value"}, ".max-size": {int64(5), int64(4), int64(6)}},
		"duration(self.wait) >= duration('1s')":                         {".wait": {"1s", "no-such-value", "0s", "2s"}},
		"quantity(self.size).compareTo(quantity('10Gi')) >= 0":          {".size": {"10Gi", "no-such-value", "9Gi", "11Gi"}},
		"int(self.port) > 1024":                                         {".port": {int64(1024), int64(1023), int64(1025)}},
		"self.low <= (has(self.high) ? self.high : 100)":                {".low": {int64(100), int64(99), int64(101)}, ".high": {int64(100), int64(99), int64(101)}},
		"self.a <": {},
	} {
		got := map[string][]any{}
		for _, l := range readLiterals(text) {
			got[l.path] = l.values
		}
		assert.Equal(t, want, got, text)
	}
}

// number returns a number of an object's spec; 0: it has none.
func number(object map[string]any, name string) float64 {
	n, _ := spec(object, name).(float64)
	return n
}

// TestConstantsOfRules: the constant of a rule in CEL is a value to try. A rule that another one already
// states shows no difference.
func TestConstantsOfRules(t *testing.T) {
	const rule = "!has(self.size) || self.size <= 100"
	object := gadget(map[string]any{"size": int64(3), "owner": "me"})
	bounded := func() *release {
		return &release{accepts: func(object, _ map[string]any) bool { return number(object, "size") <= 100 }}
	}
	got := try(t, &release{accepts: all}, bounded(), target(rule, rule, ".spec", object))[0]
	require.Len(t, got.Trials, 1)
	assert.Equal(t, int64(101), got.Trials[0].Value)
	assert.Equal(t, ".spec.size", got.Trials[0].Held)
	assert.Equal(t, int64(3), spec(got.Trials[0].Before, "size"))

	got = try(t, bounded(), bounded(), target(rule, rule, ".spec", object))[0]
	assert.Empty(t, got.Trials)
	assert.NotZero(t, got.BothRefuse)
	stated := target(rule, rule, ".spec", object)
	stated.Old = rule
	assert.Equal(t, got.Sent, try(t, bounded(), bounded(), stated)[0].Sent, "what both releases state is tried once")
}

// TestCombinationsOfRules: a rule that relates two members is tried with combinations of both, and what
// changes is an object that both releases accept.
func TestCombinationsOfRules(t *testing.T) {
	const rule = "!has(self.min) || !has(self.max) || self.min <= self.max"
	ordered := &release{accepts: func(object, _ map[string]any) bool {
		return spec(object, "min") == nil || spec(object, "max") == nil || number(object, "min") <= number(object, "max")
	}}
	got := try(t, &release{accepts: all}, ordered, target(rule, rule, ".spec", gadget(map[string]any{"owner": "me"})))[0]
	require.Len(t, got.Trials, 1)
	trial := got.Trials[0]
	assert.Equal(t, []any{int64(2), int64(1)}, []any{spec(trial.Object, "min"), spec(trial.Object, "max")})
	assert.Len(t, trial.Before["spec"], 2)
	assert.LessOrEqual(t, got.Sent, 40)
}

// TestHiddenRules: a rule that a release does not evaluate, since it refuses the value for its schema, is shown by
// an object with another value that the rule refuses otherwise. Where the schema says all, nothing is added.
func TestHiddenRules(t *testing.T) {
	const before, after = "!has(self.key) || self.kind == 'a'", "!has(self.key) || self.kind == 'a' || self.kind == 'b'"
	object := gadget(map[string]any{"kind": "c"})
	kind := func(o map[string]any) any { return spec(o, "kind") }
	for _, hides := range []bool{true, false} {
		var said string
		old := &release{accepts: func(o, _ map[string]any) bool { return kind(o) != "b" && (spec(o, "key") == nil || kind(o) == "a") }}
		new := &release{accepts: func(o, _ map[string]any) bool { return spec(o, "key") == nil || kind(o) != "c" }}
		old.speaks = func(o map[string]any) string {
			if said = ""; hides && kind(o) == "b" {
				said = "some validation rules were not checked because the object was invalid"
			}
			return said
		}
		of := target("", "", ".spec", object)
		of.Old, of.New = before, after
		got := try(t, old, new, of)
		require.NotEmpty(t, got[0].Trials)
		assert.Equal(t, "b", got[0].Trials[0].Value)
		assert.Equal(t, hides, spec(got[0].Trials[0].Object, "key") != nil)
	}
}

// TestWholeObjects: a rule of the whole object is tried on the object's name, which no journey plays:
// copies have names of their own.
func TestWholeObjects(t *testing.T) {
	const rule = "self.metadata.name.size() < 12"
	short := &release{accepts: func(object, _ map[string]any) bool {
		name, _ := object["metadata"].(map[string]any)["name"].(string)
		return len(name) < 12
	}}
	at := target(rule, rule, "", gadget(map[string]any{"owner": "me"}))
	at.Whole = true
	got := try(t, &release{accepts: all}, short, at)[0]
	require.NotEmpty(t, got.Trials)
	assert.Equal(t, ".metadata.name", got.Trials[0].Held)
	assert.Empty(t, got.Playable())
	assert.Empty(t, try(t, short, short, at)[0].Trials)
}

// TestElementsOfRules: what a rule says of the elements of a list is tried on one of them. A list that the
// rule compares the size of is made longer.
func TestElementsOfRules(t *testing.T) {
	jobs := func(object map[string]any) []any { of, _ := spec(object, "jobs").([]any); return of }
	small := &release{accepts: func(object, _ map[string]any) bool {
		for _, j := range jobs(object) {
			if cpu, _ := j.(map[string]any)["cpu"].(float64); cpu >= 100 {
				return false
			}
		}
		return len(jobs(object)) < 3
	}}
	object := gadget(map[string]any{"jobs": []any{map[string]any{"name": "a", "cpu": int64(1)}}})
	got := try(t, &release{accepts: all}, small, target("jobs", "self.all(j, j.cpu < 100)", ".spec.jobs", object))[0]
	require.NotEmpty(t, got.Trials)
	assert.Equal(t, ".spec.jobs[0].cpu", got.Trials[0].Held)
	got = try(t, &release{accepts: all}, small, target("few", "self.jobs.size() < 3", ".spec", object))[0]
	require.NotEmpty(t, got.Trials)
	assert.Len(t, jobs(got.Trials[0].Object), 3)
	assert.Empty(t, try(t, small, &release{accepts: small.accepts}, target("jobs", "self.all(j, j.cpu < 100)", ".spec.jobs", object))[0].Trials)
}

// TestFitted: a rule is tried on an object without the other fields for which a release refuses it, and
// never without its own field.
func TestFitted(t *testing.T) {
	strict := &release{accepts: func(object, _ map[string]any) bool {
		return spec(object, "size") == nil && spec(object, "owner") != "b"
	}}
	object := gadget(map[string]any{"size": int64(3), "owner": "a"})
	got := try(t, &release{accepts: all}, strict, target("owner", "self != 'b'", ".spec.owner", object))[0]
	require.NotEmpty(t, got.Trials)
	assert.Equal(t, map[string]any{"owner": "a"}, got.Trials[0].Before["spec"])

	got = try(t, &release{accepts: all}, strict, target("size", "self > 3", ".spec.size", object))[0]
	assert.NotNil(t, spec(got.Trials[0].Object, "size"))
	assert.Nil(t, got.Trials[0].Before, "the rule's own field stays")

	few := &release{accepts: func(object, _ map[string]any) bool {
		return number(object, "size") == 2 && spec(object, "owner") != "b"
	}}
	both := try(t, &release{accepts: func(object, _ map[string]any) bool { return spec(object, "size") != nil }}, few,
		target("owner", "self != 'b'", ".spec.owner", object), target("maximum", "2", ".spec.size", object))
	require.NotEmpty(t, both[0].Trials)
	assert.Equal(t, map[string]any{"owner": "a", "size": int64(2)}, both[0].Trials[0].Before["spec"], "what is required has a value that another rule permits")
}

// TestConcerns: fields around a rule's place are the rule's, and of those within it the ones that it names.
func TestConcerns(t *testing.T) {
	of := target("role", "self.role != 'x'", ".spec.users[].role", gadget(map[string]any{"users": []any{map[string]any{"name": "a", "role": "b"}}}))
	of.Held = `.spec.users[name="a"]`
	for field, want := range map[string]bool{".spec.users": true, ".spec.users[0]": true, ".spec.users[0].role": true, ".spec.users[0].note": false, ".spec.owner": false} {
		assert.Equal(t, want, of.concerns(field), field)
	}
}

// TestKeysOfRules: a rule in CEL of the keys of a map is tried with further keys: of another case, with
// digits, with other characters. A rule of the values of a map adds no key that a release alone accepts.
func TestKeysOfRules(t *testing.T) {
	tags := func(object map[string]any) map[string]any { of, _ := spec(object, "tags").(map[string]any); return of }
	keys := func(refuses func(key string) bool) *release {
		return &release{accepts: func(object, _ map[string]any) bool {
			for key := range tags(object) {
				if refuses(key) {
					return false
				}
			}
			return true
		}}
	}
	object := gadget(map[string]any{"tags": map[string]any{"sample": "sample"}})
	for rule, refuses := range map[string]func(key string) bool{
		"self.all(k, k.matches('^[a-z]+$'))":      func(key string) bool { return key == "A" || key == "1" },
		"self.all(k, v, k.matches('^[^_]+$'))":    func(key string) bool { return key == "_" },
		"self.all(k, k.lowerAscii() == k)":        func(key string) bool { return key == "Sample" },
		"self.all(k, !(k in ['one', 'two']))":     func(key string) bool { return key == "two" },
		"!self.exists(k, k.startsWith('owner.'))": func(key string) bool { return key == "owner." },
	} {
		got := try(t, &release{accepts: all}, keys(refuses), target("", rule, ".spec.tags", object))[0]
		require.NotEmpty(t, got.Trials, rule)
		assert.Equal(t, term.Old, got.Trials[0].AcceptedBy())
		assert.Contains(t, got.Trials[0].Before["spec"].(map[string]any)["tags"], "sample")
		below := target("", strings.ReplaceAll(rule, "self.", "self.tags."), ".spec", object)
		assert.NotEmpty(t, try(t, &release{accepts: all}, keys(refuses), below)[0].Trials, below.New)
		assert.Empty(t, try(t, keys(refuses), keys(refuses), target("", rule, ".spec.tags", object))[0].Trials, rule)
	}
	of := target("", "self.all(k, self[k] != 'no')", ".spec.tags", object)
	no := &release{accepts: func(object, _ map[string]any) bool { return tags(object)["sample"] != "no" }}
	got := try(t, &release{accepts: all}, no, of)[0]
	require.Len(t, got.Trials, 1)
	assert.Equal(t, "no", got.Trials[0].Value)
}

// TestDisputed: a rule of the members of a struct is tried with a further member that one release accepts
// and the other one refuses, unless the refusal is of that member itself.
func TestDisputedRules(t *testing.T) {
	const rule = `{"required":["name","size"]}`
	one := &release{accepts: func(object, _ map[string]any) bool {
		return (spec(object, "size") == nil || spec(object, "name") == nil) && spec(object, "name") != "b"
	}}
	withSize := target("not", rule, ".spec", gadget(map[string]any{"size": int64(1)}))
	withSize.Disputed = []Value{{Path: ".spec.name", Value: "a"}}
	got := try(t, &release{accepts: all}, one, withSize)[0]
	require.Len(t, got.Trials, 1)
	assert.Equal(t, map[string]any{"size": int64(1), "name": "a"}, got.Trials[0].Object["spec"])
	assert.Equal(t, map[string]any{"size": int64(1)}, got.Trials[0].Before["spec"])

	withName := target("not", rule, ".spec", gadget(map[string]any{"name": "a"}))
	withName.Disputed = []Value{{Path: ".spec.size", Value: int64(1)}}
	assert.Empty(t, try(t, &release{accepts: all}, one, withName)[0].Trials, "the refusal is of the size")
	withSize.Disputed = []Value{{Path: ".spec.other", Value: "a"}}
	assert.Empty(t, try(t, &release{accepts: all}, &release{accepts: func(object, _ map[string]any) bool { return spec(object, "other") == nil }}, withSize)[0].Trials, "the rule does not name the field")
}
