package crd_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/crd/definition"
)

const gadgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget, shortNames: [g]}
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer, default: 3}}}}
  - name: v1
    served: true
    storage: false
    subresources: {status: {}}
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .size}]
    selectableFields: [{jsonPath: .size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, default: 3, x-kubernetes-validations: [{rule: self > 0}]}
  - name: v0
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
`

// TestPublish: definitions are published as a server publishes them, one document for each
// served version, with defaults and rules.
func TestPublish(t *testing.T) {
	set, err := crd.Read("m", fstest.MapFS{"a.yaml": {Data: []byte(gadgets)}})
	require.NoError(t, err)
	p, err := crd.Publish(set)
	require.NoError(t, err)
	assert.Equal(t, []definition.Version{
		{Group: "example.com", Version: "v1beta1", Kind: "Gadget", Plural: "gadgets", Namespaced: true, ShortNames: []string{"g"}, Singular: "gadget", ListKind: "GadgetList", StorageVersion: "v1beta1", Unserved: []string{"v0"}, Conversion: "None"},
		{
			Group: "example.com", Version: "v1", Kind: "Gadget", Plural: "gadgets", Namespaced: true, ShortNames: []string{"g"}, Singular: "gadget", ListKind: "GadgetList", StorageVersion: "v1beta1", Unserved: []string{"v0"}, Conversion: "None",
			Subresources: []string{"status"}, Columns: []string{"Size .size integer"}, Selectable: []string{".size"},
		},
	}, p.Resources)
	require.Len(t, p.Documents, 2)
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]map[string]any `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(p.Documents["example.com/v1"], &document))
	size := document.Components.Schemas["com.example.v1.Gadget"].Properties["size"]
	assert.EqualValues(t, 3, size["default"])
	assert.Len(t, size["x-kubernetes-validations"], 1)
}

// TestScalePaths: an empty path of a label selector is none.
func TestScalePaths(t *testing.T) {
	of := func(more string) string {
		all := definition.Versions([]byte(`{"spec":{"group":"example.com","names":{"kind":"Gadget","plural":"gadgets"},"versions":[{"name":"v1","served":true,"storage":true,
			"subresources":{"scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"` + more + `}}}]}}`))
		require.Len(t, all, 1)
		return all[0].Scale
	}
	assert.Equal(t, ".spec.n, .status.n", of(""))
	assert.Equal(t, of(""), of(`,"labelSelectorPath":""`))
	assert.Equal(t, ".spec.n, .status.n, .status.s", of(`,"labelSelectorPath":".status.s"`))
}
