package search

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/sim/objects"
)

func parsed(t testing.TB, text string) (object map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &object))
	return object
}

func widget(t testing.TB) objects.Kind {
	t.Helper()
	document, err := os.ReadFile("testdata/widget.json")
	require.NoError(t, err)
	all, err := objects.ReadDefinitions(document)
	require.NoError(t, err)
	k, ok := all.Kind("example.dev/v1", "Widget", nil)
	require.True(t, ok)
	return k
}

// rule is what a server checks of an object: it returns what it refuses.
type rule func(o map[string]any) *metav1.StatusCause

func refuse(kind metav1.CauseType, field, message string) *metav1.StatusCause {
	return &metav1.StatusCause{Type: kind, Field: field, Message: message}
}

func at(o map[string]any, field string) any {
	v, _ := objects.Get(o, objects.ParseLocation(field))
	return v
}

// reached sends the objects of an aim to a server with some rules, and returns the accepted one
// and how many were sent.
func reached(t testing.TB, r Request, rules ...rule) (*Search, int) {
	t.Helper()
	aim, ok := New(r)
	require.True(t, ok)
	for sent := 1; ; sent++ {
		var causes []metav1.StatusCause
		for _, rule := range rules {
			if cause := rule(aim.Object()); cause != nil {
				causes = append(causes, *cause)
			}
		}
		if len(causes) == 0 {
			return aim, sent
		}
		if !aim.Repair(&metav1.Status{Details: &metav1.StatusDetails{Causes: causes}}) {
			return nil, sent
		}
	}
}

const (
	invalid   = metav1.CauseTypeFieldValueInvalid
	required  = metav1.CauseTypeFieldValueRequired
	forbidden = metav1.CauseType("FieldValueForbidden")
)

// TestWithoutRules: the smallest object has the field, the containers on its way with the
// keys of their elements, and nothing else.
func TestWithoutRules(t *testing.T) {
	for path, want := range map[string]string{
		".spec.size":              `{"spec": {"size": 1}}`,
		".spec.on":                `{"spec": {"on": false}}`,
		".spec.style":             `{"spec": {"style": "example.com"}}`,
		".spec.parts[].disk.mode": `{"spec": {"parts": [{"name": "sample", "disk": {"mode": "sample"}}]}}`,
		".spec.parts[].disk":      `{"spec": {"parts": [{"name": "sample", "disk": {"mode": "sample"}}]}}`,
		".spec.parts":             `{"spec": {"parts": [{"name": "sample"}]}}`,
		".spec.limits":            `{"spec": {"limits": {"sample": "1"}}}`,
		".spec.limits[]":          `{"spec": {"limits": {"sample": "1"}}}`,
		"":                        `{}`,
	} {
		aim, ok := New(Request{Kind: widget(t), Path: path})
		require.True(t, ok, path)
		wanted := parsed(t, want)
		wanted["apiVersion"], wanted["kind"] = "example.dev/v1", "Widget"
		assert.JSONEq(t, objects.JSONText(wanted), objects.JSONText(aim.Object()), path)
		_, there := objects.Get(aim.Object(), aim.Held())
		assert.True(t, there, path)
	}
	for _, path := range []string{".spec.colour", ".spec[].size", ".spec.parts.name", "spec"} {
		_, ok := New(Request{Kind: widget(t), Path: path})
		assert.False(t, ok, path)
	}
}

// TestBesideExample: the field joins an element that the example has, whose other members
// stay; a bystander lacks the field alone.
func TestBesideExample(t *testing.T) {
	example := parsed(t, `{"metadata": {"name": "x"}, "spec": {"size": 4, "parts": [{"name": "one"}, {"name": "two", "disk": {}}]}}`)
	aim, ok := New(Request{Kind: widget(t), Path: ".spec.parts[].disk.mode", Examples: []map[string]any{example}})
	require.True(t, ok)
	assert.Equal(t, "spec.parts[1].disk.mode", aim.Held().String())
	assert.Equal(t, map[string]any{"name": "one"}, at(aim.Object(), "spec.parts[0]"))
	assert.True(t, aim.FromExample())
	without := aim.Bystanders()[0]
	assert.Equal(t, map[string]any{"name": "two", "disk": map[string]any{}}, at(without, "spec.parts[1]"))
	assert.Nil(t, at(example, "spec.parts[1].disk.mode"), "the example is left alone")

	given, ok := New(Request{Kind: widget(t), Path: ".spec.size", Examples: []map[string]any{example}})
	require.True(t, ok)
	assert.EqualValues(t, 4, at(given.Object(), "spec.size"), "the example's own value is valid")
	fixed, ok := New(Request{Kind: widget(t), Path: ".spec.size", Value: int64(9), Examples: []map[string]any{example}})
	require.True(t, ok)
	assert.EqualValues(t, 9, at(fixed.Object(), "spec.size"))
	hinted, ok := New(Request{Kind: widget(t), Path: ".spec.flavour", Hints: []objects.Hint{{Value: "sour", Object: parsed(t, `{"spec": {"size": 2}}`)}}})
	require.True(t, ok)
	assert.Equal(t, "sour", at(hinted.Object(), "spec.flavour"))
	assert.EqualValues(t, 2, at(hinted.Object(), "spec.size"))
	assert.True(t, hinted.FromHint())
}

// TestNamedValue: the value of an enum that a text names has the type of the field.
func TestNamedValue(t *testing.T) {
	for path, want := range map[string]any{".spec.level": int64(2), ".spec.grade": "2", ".spec.flavour": "2"} {
		named, ok := New(Request{Kind: widget(t), Path: path, Value: "2"})
		require.True(t, ok, path)
		assert.Equal(t, want, at(named.Object(), path[1:]), path)
	}
}

// refusalCase is a request, a server's rules, and what the search should lead to.
type refusalCase struct {
	request Request
	rules   []rule
	want    func(o map[string]any) bool
	within  int
}

// valueCases are refusals that name values.
func valueCases(t testing.TB) map[string]refusalCase {
	t.Helper()
	return map[string]refusalCase{
		"a value that the message lists": {
			Request{Path: ".spec.flavour"},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if at(o, "spec.flavour") != "Sour" {
					return refuse("FieldValueNotSupported", "spec.flavour", `Unsupported value: "x": supported values: "Sour"`)
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.flavour") == "Sour" }, 2,
		},
		"a form that the message names": {
			Request{Path: ".spec.flavour"},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if at(o, "spec.flavour") != "10.0.0.1" {
					return refuse(invalid, "spec.flavour", `Invalid value: "x": must be a valid IP address`)
				}
				return nil
			}},
			func(o map[string]any) bool { return true }, 2,
		},
		"a bound in the message": {
			Request{Path: ".spec.size"},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if n, _ := at(o, "spec.size").(int64); n < 4321 {
					return refuse(invalid, "spec.size", `Invalid value: 1: must be greater than or equal to 4321`)
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.size") == int64(4321) }, 2,
		},
		"a bound that another field sets": {
			Request{Path: ".spec.size", Examples: []map[string]any{parsed(t, `{"spec": {"largest": -70}}`)}},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				size, _ := at(o, "spec.size").(int64)
				if most, has := at(o, "spec.largest").(int64); has && size > most {
					return refuse(invalid, "spec.size", `Invalid value: 1: must be less than or equal to largest`)
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.size") != nil }, 4,
		},
		"a member that is required besides": {
			Request{Path: ".spec.size"},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if at(o, "spec.mounts[0].name") == nil {
					return refuse(required, "spec.mounts[0].name", "Required value")
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.size") == int64(1) }, 4,
		},
	}
}

// structureCases are refusals that need more than another value.
func structureCases(t testing.TB) map[string]refusalCase {
	t.Helper()
	example := parsed(t, `{"spec": {"size": 4, "parts": [{"name": "one", "net": {"host": "h"}}]}}`)
	return map[string]refusalCase{
		"the example's other member of a union": {
			Request{Path: ".spec.parts[].disk.mode", Examples: []map[string]any{example}},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if at(o, "spec.parts[0].disk") != nil && at(o, "spec.parts[0].net") != nil {
					return refuse(forbidden, "spec.parts[0].net", "Forbidden: may not specify more than 1 source")
				}
				return nil
			}},
			func(o map[string]any) bool {
				return at(o, "spec.parts[0].disk.mode") != nil && at(o, "spec.size") == 4.0
			}, 2,
		},
		"a condition on another field": {
			Request{Path: ".spec.size"},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if at(o, "spec.flavour") != "Sour" {
					return refuse(forbidden, "spec.size", "Forbidden: may only be set when `flavour` is 'Sour'")
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.size") == int64(1) }, 12,
		},
		"two members that a rule asks for together": {
			Request{Path: ".spec.size", Examples: []map[string]any{parsed(t, `{"spec": {"mounts": [{}]}}`)}},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if at(o, "spec.mounts") != nil && (at(o, "spec.mounts[0].name") == nil || at(o, "spec.mounts[0].deep") == nil) {
					return refuse(invalid, "spec.mounts[0]", `Invalid value: "object": both mounts.name and mounts.deep must be set`)
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.mounts[0].deep") != nil }, 2,
		},
		"a reference to a name in the object": {
			Request{Path: ".spec.mounts[].deep", Examples: []map[string]any{example}},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				if name := at(o, "spec.mounts[0].name"); name == nil {
					return refuse(required, "spec.mounts[0].name", "Required value")
				} else if name != at(o, "spec.parts[0].name") {
					return refuse("FieldValueNotFound", "spec.mounts[0].name", fmt.Sprintf("Not found: %q", name))
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.mounts[0].deep") == true }, 8,
		},
		"a key that a map accepts": {
			Request{Path: ".spec.limits[]"},
			[]rule{func(o map[string]any) *metav1.StatusCause {
				limits, _ := at(o, "spec.limits").(map[string]any)
				for _, key := range slices.Sorted(maps.Keys(limits)) {
					if key != "heat" {
						return refuse("FieldValueNotSupported", "spec.limits["+key+"]", `Unsupported value: "x": supported values: "heat", "light"`)
					}
				}
				return nil
			}},
			func(o map[string]any) bool { return at(o, "spec.limits.heat") == "1" }, 4,
		},
	}
}

// TestFollowsRefusals: what each refusal leads to, within how many objects.
func TestFollowsRefusals(t *testing.T) {
	all := valueCases(t)
	maps.Copy(all, structureCases(t))
	for name, c := range all {
		c.request.Kind = widget(t)
		aim, sent := reached(t, c.request, c.rules...)
		if !assert.NotNil(t, aim, "%s: after %d", name, sent) {
			continue
		}
		assert.True(t, c.want(aim.Object()), "%s: %s", name, objects.JSONText(aim.Object()))
		assert.LessOrEqual(t, sent, c.within, "%s: %s", name, objects.JSONText(aim.Object()))
		_, there := objects.Get(aim.Object(), aim.Held())
		assert.True(t, there, name)
	}
}

// TestKeepsTheTarget: no repair drops the field, or changes the value that was asked for; a
// server that refuses it always ends the search.
func TestKeepsTheTarget(t *testing.T) {
	example := parsed(t, `{"spec": {"size": 4, "parts": [{"name": "one", "net": {"host": "h"}}]}}`)
	for _, field := range []string{"spec.parts[0].disk.mode", "spec.parts[0]", "spec", "", "spec.other"} {
		aim, ok := New(Request{Kind: widget(t), Path: ".spec.parts[].disk.mode", Value: "Odd", Examples: []map[string]any{example}})
		require.True(t, ok)
		for more := true; more; more = aim.Repair(&metav1.Status{Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{*refuse(invalid, field, "no")}}}) {
			value, _ := objects.Get(aim.Object(), aim.Held())
			assert.Equal(t, "Odd", value, field)
			assert.LessOrEqual(t, aim.Repairs(), maxAims)
		}
	}
	aim, ok := New(Request{Kind: widget(t), Path: ".spec.size"})
	require.True(t, ok)
	seen := map[string]bool{objects.JSONText(aim.Object()): true}
	for aim.Dropped() {
		text := objects.JSONText(aim.Object())
		assert.False(t, seen[text], text)
		assert.True(t, strings.Contains(text, `"size"`), text)
		seen[text] = true
	}
	assert.Greater(t, len(seen), 3)
}

// TestSearchesAreEqual: the same answers lead to the same objects.
func TestSearchesAreEqual(t *testing.T) {
	objects := func() (all []string) {
		aim, ok := New(Request{Kind: widget(t), Path: ".spec.parts[].disk"})
		require.True(t, ok)
		for more := true; more && len(all) < 40; more = aim.Repair(&metav1.Status{Message: `the "sample" of spec is not good`}) {
			all = append(all, objects.JSONText(aim.Object()))
		}
		return all
	}
	assert.Equal(t, objects(), objects())
}
