package served

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/json"
)

func object(t *testing.T, text string) (o map[string]any) {
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
		first, second := object(t, c.first), object(t, c.second)
		got := Compare(first, second)
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, object(t, c.first), first, "the object is changed: %s", name)
	}
}
