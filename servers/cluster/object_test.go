package cluster

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	o, err := Parse([]byte(` {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"n","uid":"u"},"Kind":"x"}`))
	require.NoError(t, err)
	assert.Equal(t, "Deployment.apps n/web", o.String())
	assert.Equal(t, "u", o.UID)
	for body, want := range map[string]string{
		`{"kind":"Pod","metadata":{"name":"p"}}`:       "apiVersion is missing",
		`{"apiVersion":"v1","Kind":"x","metadata":{}}`: "kind is missing",
		`{"apiVersion":"v1","kind":"Pod"}`:             "metadata.name is missing",
		`[]`:                                           "not a JSON object",
		``:                                             "not a JSON object",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":7}}`: "cannot unmarshal number",
	} {
		_, err := Parse([]byte(body))
		assert.ErrorContains(t, err, want, body)
	}
}

func TestTyped(t *testing.T) {
	whole := `{ "kind":"A","apiVersion":"b/v1"}`
	body, err := Typed([]byte(whole), "v1", "Pod")
	require.NoError(t, err)
	assert.Equal(t, whole, string(body))
	body, err = Typed([]byte(`{"x":9007199254740993}`), "v1", "Pod")
	require.NoError(t, err)
	assert.Equal(t, `{"apiVersion":"v1","kind":"Pod","x":9007199254740993}`, string(body))
}
