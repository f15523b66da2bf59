package schema

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/json"
)

func parsedObject(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &o))
	return o
}

// TestCompare: each difference is reported as high up as it reaches, and equal objects have none.
func TestCompare(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		want          Differences
	}{
		"equal":             {`{"a":[1,{"b":"x"}]}`, `{"a":[1,{"b":"x"}]}`, Differences{}},
		"a member hidden":   {`{"a":{"b":{"c":1}}}`, `{"a":{}}`, Differences{Hidden: []string{".a.b"}}},
		"a member added":    {`{"a":{}}`, `{"a":{"b":1}}`, Differences{Added: []string{".a.b"}}},
		"a member changed":  {`{"a":{"b":1}}`, `{"a":{"b":2}}`, Differences{Changed: []string{".a.b"}}},
		"another type":      {`{"a":{"b":1}}`, `{"a":[1]}`, Differences{Changed: []string{".a"}}},
		"null and nothing":  {`{"a":null,"b":{"c":1}}`, `{"b":{"c":1,"d":null}}`, Differences{}},
		"an empty list":     {`{"a":[],"b":[],"c":null}`, `{"a":null,"b":[1],"c":[]}`, Differences{Added: []string{".b[0]"}}},
		"null and a value":  {`{"a":null}`, `{"a":0}`, Differences{Changed: []string{".a"}}},
		"an element hidden": {`{"a":["x","y"]}`, `{"a":["x"]}`, Differences{Hidden: []string{".a[1]"}}},
		"by position":       {`{"a":["x","y"]}`, `{"a":["y","x"]}`, Differences{Changed: []string{".a[0]", ".a[1]"}}},
		"the eleventh":      {`{"a":[0,1,2,3,4,5,6,7,8,9,10]}`, `{"a":[0,1,3,3,4,5,6,7,8,9,11]}`, Differences{Changed: []string{".a[2]", ".a[10]"}}},
		"large numbers":     {`{"a":9007199254740993}`, `{"a":9007199254740992}`, Differences{Changed: []string{".a"}}},
		"of the store":      {`{"metadata":{"name":"x","resourceVersion":"1","generation":1,"managedFields":[]}}`, `{"metadata":{"name":"x","resourceVersion":"2"}}`, Differences{}},
		"a label":           {`{"metadata":{"labels":{"a/b":"1"}}}`, `{"metadata":{"labels":{}}}`, Differences{Hidden: []string{`.metadata.labels["a/b"]`}}},
		"elsewhere":         {`{"spec":{"metadata":{"generation":1}}}`, `{"spec":{"metadata":{}}}`, Differences{Hidden: []string{".spec.metadata.generation"}}},
	} {
		first, second := parsedObject(t, c.first), parsedObject(t, c.second)
		got := Kind{}.Compare(first, second)
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, parsedObject(t, c.first), first, "the object is changed: %s", name)
	}
}

// TestCompareByMeaning: what the schema says of lists and types counts: a keyed list or a set in another order, and
// a quantity or a time in another spelling, are no difference; near twins of them are.
func TestCompareByMeaning(t *testing.T) {
	k := kindOfLists(t)
	for name, c := range map[string]struct {
		first, second string
		want          Differences
	}{
		"keyed in another order": {`{"spec":{"parts":[{"name":"a","n":1},{"name":"b"}]}}`, `{"spec":{"parts":[{"name":"b"},{"name":"a","n":1}]}}`, Differences{}},
		"an element in front":    {`{"spec":{"parts":[{"name":"b"}]}}`, `{"spec":{"parts":[{"name":"a"},{"name":"b"}]}}`, Differences{Added: []string{`.spec.parts[name="a"]`}}},
		"a member of one":        {`{"spec":{"parts":[{"name":"a","n":1},{"name":"b"}]}}`, `{"spec":{"parts":[{"name":"b"},{"name":"a","n":2}]}}`, Differences{Changed: []string{`.spec.parts[name="a"].n`}}},
		"a key twice":            {`{"spec":{"parts":[{"name":"a","n":1},{"name":"a"}]}}`, `{"spec":{"parts":[{"name":"a"}]}}`, Differences{Hidden: []string{".spec.parts[0].n", ".spec.parts[1]"}}},
		"a set":                  {`{"spec":{"words":["x","y"]}}`, `{"spec":{"words":["y","x"]}}`, Differences{}},
		"an element of a set":    {`{"spec":{"words":["x","y"]}}`, `{"spec":{"words":["y"]}}`, Differences{Hidden: []string{`.spec.words[="x"]`}}},
		"a plain list":           {`{"spec":{"plain":["x","y"]}}`, `{"spec":{"plain":["y","x"]}}`, Differences{Changed: []string{".spec.plain[0]", ".spec.plain[1]"}}},
		"a quantity":             {`{"spec":{"size":"1024Mi"}}`, `{"spec":{"size":"1Gi"}}`, Differences{}},
		"another quantity":       {`{"spec":{"size":"1024Mi"}}`, `{"spec":{"size":"1G"}}`, Differences{Changed: []string{".spec.size"}}},
		"a time":                 {`{"spec":{"at":"2026-01-02T03:04:05Z"}}`, `{"spec":{"at":"2026-01-02T04:04:05+01:00"}}`, Differences{}},
	} {
		assert.Equal(t, c.want, k.Compare(parsedObject(t, c.first), parsedObject(t, c.second)), name)
	}
}

func kindOfLists(t *testing.T) Kind {
	t.Helper()
	s, err := Parse([][]byte{[]byte(`{"openapi":"3.0.0","info":{"title":"x","version":"1"},"paths":{},"components":{"schemas":{
 "x.Thing":{"type":"object","x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Thing"}],"properties":{
  "apiVersion":{"type":"string"},"kind":{"type":"string"},"spec":{"type":"object","properties":{
   "parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer"}}}},
   "words":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
   "plain":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}},
   "size":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"},
   "at":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}}}}},
 "io.k8s.apimachinery.pkg.api.resource.Quantity":{"type":"string"},
 "io.k8s.apimachinery.pkg.apis.meta.v1.Time":{"type":"string","format":"date-time"}}}}`)})
	require.NoError(t, err)
	k, ok := s.Kind("example.com/v1", "Thing")
	require.True(t, ok)
	return k
}
