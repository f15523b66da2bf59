package crd

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const crateDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crates.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {plural: crates, singular: crate, kind: Crate, listKind: CrateList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: 9007199254740993}}}}}}
`

// kustomized returns a folder with a kustomization of that text and some patches.
func kustomized(text string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, content := range map[string]string{
		"kustomization.yaml":       text,
		"bases/crates.yaml":        crateDefinition,
		"bases/kustomization.yaml": "resources: [crates.yaml]",
		"patches/webhook.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: crates.example.dev}\nspec:\n  conversion:\n    strategy: Webhook\n" +
			"    webhook: {clientConfig: {service: {namespace: system, name: webhook-service, path: /convert}}, conversionReviewVersions: [v1]}\n",
		"patches/other.yaml": "kind: Deployment\nmetadata: {name: x}\n",
		"patches/gone.yaml":  "kind: CustomResourceDefinition\nmetadata: {name: gone.example.dev}\nspec: {scope: Cluster}\n",
		"patches/list.yaml":  "- {op: replace, path: /spec/scope, value: Cluster}\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(content), Mode: 0o600}
	}
	return files
}

// TestKustomize: definitions are as the patches of the kustomization leave them.
func TestKustomize(t *testing.T) {
	for text, webhook := range map[string]bool{
		"resources: [bases/crates.yaml]\npatches: [{path: patches/webhook.yaml}, {path: patches/other.yaml}]": true,
		"resources: [bases]\npatchesStrategicMerge: [patches/webhook.yaml]":                                   true,
		"resources: [bases]\nnamePrefix: x-\nconfigurations: [k.yaml]":                                        false,
	} {
		set, err := Read("crd", kustomized(text))
		require.Len(t, set.Definitions, 1, text)
		assert.Equal(t, webhook, set.Definitions[0].Webhook, text)
		assert.True(t, set.Rendered)
		assert.NoError(t, err)
		assert.Contains(t, string(set.Definitions[0].JSON), "9007199254740993", "numbers stay as they are")
		assert.NoError(t, set.WithProgram().Installable())
	}
	set, err := Read("crd", kustomized("resources: [bases]\npatches: [{path: patches/list.yaml, target: {kind: CustomResourceDefinition, name: crates.*}}]"))
	require.NoError(t, err)
	assert.Contains(t, string(set.Definitions[0].JSON), `"scope":"Cluster"`)
}

// TestKustomizeRefuses: nothing is fetched, and nothing is left out in silence.
func TestKustomizeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"resources: [https://example.dev/crds.yaml]":                   "crd/kustomization.yaml:1: \"https://example.dev/crds.yaml\" leads out of the folder, and nothing is fetched",
		"patches:\n- path: ../webhook.yaml\nresources: [bases]":        "crd/kustomization.yaml:2: \"../webhook.yaml\" leads out of the folder",
		"resources:\n- bases\n- [other]":                               "crd/kustomization.yaml:3: not a kustomization: ",
		"resources: [bases":                                            "crd/kustomization.yaml:1: not a kustomization: did not find",
		"resources: [github.com/example/crds]":                         "nothing is fetched",
		"resources: [../crates.yaml]":                                  "leads out of the folder",
		"resources: [bases]\nreplacements: []":                         "crd/kustomization.yaml:2: replacements: is not rendered here",
		"resources: [bases]\ngenerators: [x]":                          "generators: is not rendered here",
		"resources: [bases/none.yaml]":                                 "bases/none.yaml",
		"resources: [patches]":                                         "has no kustomization.yaml",
		"resources: [bases]\npatches: [{path: patches/gone.yaml}]":     "a patch for gone.example.dev, which no resource has",
		"resources: [bases]\npatches: [{path: patches/list.yaml}]":     "needs a target",
		"resources: [bases]\npatches: [{patch: \"{$patch: delete}\"}]": "directives are not rendered here",
	} {
		_, err := Read("crd", kustomized(text))
		assert.ErrorContains(t, err, want, text)
	}
}

// TestKustomizeTargets: a patch changes what its target selects, by expressions as kustomize reads them, and nothing else; one for
// other objects may select them as it likes.
func TestKustomizeTargets(t *testing.T) {
	for target, selects := range map[string]bool{
		"kind: CustomResourceDefinition":                              true,
		"kind: (CustomResourceDefinition|Deployment)":                 true,
		"kind: CustomResource.*, group: apiextensions.*, version: v1": true,
		"name: crates.*":       true,
		"name: crates":         false,
		"kind: CustomResource": false,
		"group: apps":          false,
		"group: apiextensions.k8s.io, version: v1b.*": false,
		"namespace: system":                           false,
		"kind: Deployment, labelSelector: a=b":        false,
		"group: apps, annotationSelector: a=b":        false,
	} {
		set, err := Read("crd", kustomized("resources: [bases]\npatches: [{path: patches/list.yaml, target: {"+target+"}}]"))
		require.NoError(t, err, target)
		assert.Equal(t, selects, strings.Contains(string(set.Definitions[0].JSON), `"scope":"Cluster"`), target)
	}
	for key, want := range map[string]string{
		"labelSelector: a=b":      "crd/kustomization.yaml:5: target.labelSelector: is not rendered here",
		"annotationSelector: a=b": "crd/kustomization.yaml:5: target.annotationSelector: is not rendered here",
		"knd: Deployment":         "crd/kustomization.yaml:5: target.knd: is no key of a target",
		"kind: (Custom":           "crd/kustomization.yaml:5: target.kind: ",
	} {
		_, err := Read("crd", kustomized("resources: [bases]\npatches:\n- path: patches/list.yaml\n  target:\n    "+key))
		assert.ErrorContains(t, err, want)
	}
}

// TestKustomizationBesideDefinitions: a folder that has definitions itself is what is meant.
func TestKustomizationBesideDefinitions(t *testing.T) {
	files := kustomized("resources: [https://example.dev/crds.yaml]")
	files["crates.yaml"] = files["bases/crates.yaml"]
	set, err := Read("crd", files)
	require.NoError(t, err)
	assert.False(t, set.Rendered)
	assert.Len(t, set.Definitions, 1)
}
