package crd

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// webhooksOf returns a folder as kubebuilder lays out config/webhook, with a kustomization of that text.
func webhooksOf(text string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, content := range map[string]string{
		"kustomization.yaml":   text,
		"kustomizeconfig.yaml": "nameReference:\n- {kind: Service, version: v1, fieldSpecs: [{kind: MutatingWebhookConfiguration, path: webhooks/clientConfig/service/name}]}\n",
		"service.yaml":         "apiVersion: v1\nkind: Service\nmetadata: {name: webhook-service, namespace: system}\n",
		"manifests.yaml": `---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: mutating-webhook-configuration, creationTimestamp: null}
webhooks:
- name: a.kb.io
  failurePolicy: Fail
  clientConfig: {service: {name: webhook-service, namespace: system, path: /mutate-a}}
- name: b.kb.io
  clientConfig: {service: {name: webhook-service, namespace: system, path: /mutate-b}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: validating-webhook-configuration}
webhooks:
- name: a.kb.io
  clientConfig: {service: {name: webhook-service, namespace: system, path: /validate-a}}
`,
		"older.yaml":      "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks: [{name: a.kb.io}]\n",
		"definition.yaml": "---\n" + crateDefinition,
	} {
		files[name] = &fstest.MapFile{Data: []byte(content), Mode: 0o600}
	}
	return files
}

// webhooksIn returns the webhooks of a configuration, by name.
func webhooksIn(t *testing.T, c Configuration) (names []string, byName map[string]map[string]any) {
	t.Helper()
	var body struct{ Webhooks []map[string]any }
	require.NoError(t, json.Unmarshal(c.JSON, &body))
	byName = map[string]map[string]any{}
	for _, w := range body.Webhooks {
		name := w["name"].(string)
		names, byName[name] = append(names, name), w
	}
	return names, byName
}

// TestReadConfigurations: a folder of kubebuilder's is read as it is, and so is one file of it. Its kustomization's patches
// change the webhooks that they name, and leave the others alone.
func TestReadConfigurations(t *testing.T) {
	const plain = "resources: [manifests.yaml, service.yaml]\nconfigurations: [kustomizeconfig.yaml]\n"
	for _, file := range []string{"", "manifests.yaml", "kustomization.yaml"} {
		all, err := ReadConfigurations("config/webhook", webhooksOf(plain), file)
		require.NoError(t, err, file)
		require.Len(t, all, 2)
		assert.Equal(t, "config/webhook/manifests.yaml:2: MutatingWebhookConfiguration mutating-webhook-configuration", all[0].named())
		assert.NotContains(t, string(all[0].JSON), "creationTimestamp")
	}
	merged := plain + "patches:\n- patch: |\n    kind: MutatingWebhookConfiguration\n    metadata: {name: mutating-webhook-configuration}\n" +
		"    webhooks: [{name: b.kb.io, failurePolicy: Ignore}, {name: a.kb.io, timeoutSeconds: 3}]\n"
	listed := plain + "patches: [{target: {kind: MutatingWebhookConfiguration}, patch: \"[{op: add, path: /webhooks/1/failurePolicy, value: Ignore}]\"}]\n"
	both := plain + "patches: [{target: {kind: (Validating|Mutating)WebhookConfiguration, name: mutating.*}, patch: \"[{op: add, path: /webhooks/1/failurePolicy, value: Ignore}]\"}]\n"
	for _, text := range []string{merged, listed, both} {
		all, err := ReadConfigurations("config/webhook", webhooksOf(text), "")
		require.NoError(t, err, text)
		require.Len(t, all, 2)
		names, webhooks := webhooksIn(t, all[0])
		assert.ElementsMatch(t, []string{"a.kb.io", "b.kb.io"}, names)
		assert.Equal(t, "Fail", webhooks["a.kb.io"]["failurePolicy"])
		assert.Equal(t, "Ignore", webhooks["b.kb.io"]["failurePolicy"])
		assert.Equal(t, "/mutate-b", pathOf(webhooks["b.kb.io"]))
		_, others := webhooksIn(t, all[1])
		assert.NotContains(t, others["a.kb.io"], "failurePolicy")
	}
}

// TestReadConfigurationsRefuses: what is no folder of configurations is named with file and line.
func TestReadConfigurationsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"resources: [service.yaml]":                     "w: contains no ValidatingWebhookConfiguration and no MutatingWebhookConfiguration of admissionregistration.k8s.io/v1: only w/service.yaml:1: Service",
		"resources: [older.yaml]":                       "only w/older.yaml:1: MutatingWebhookConfiguration",
		"resources: [manifests.yaml, definition.yaml]":  "w/definition.yaml:2: kind: CustomResourceDefinition: ",
		"resources: [manifests.yaml, manifests.yaml]":   "w/manifests.yaml:2: metadata.name: \"mutating-webhook-configuration\" is configured in w/manifests.yaml:2 already",
		"resources: [../manager]":                       "leads out of the folder",
		"resources: [manifests.yaml]\nreplacements: []": "w/kustomization.yaml:2: replacements: is not rendered here",
		"resources: [manifests.yaml]\npatches: [{patch: \"{kind: ValidatingWebhookConfiguration, metadata: {name: x}}\"}]": "a patch for x, which no resource has",
	} {
		_, err := ReadConfigurations("w", webhooksOf(text), "")
		assert.ErrorContains(t, err, want, text)
	}
	_, err := ReadConfigurations("w", fstest.MapFS{}, "")
	assert.ErrorContains(t, err, "w: contains no ValidatingWebhookConfiguration")
}

// TestWithConfigurations: configurations of another folder are those of the release like those beside the definitions, and none is
// there twice; the set that they are added to stays what it is.
func TestWithConfigurations(t *testing.T) {
	beside := webhooksOf("")
	delete(beside, "kustomization.yaml")
	delete(beside, "older.yaml")
	set, err := Read("crd", beside)
	require.NoError(t, err)
	require.Len(t, set.Admission, 2)
	more, err := ReadConfigurations("w", webhooksOf("resources: [manifests.yaml]"), "")
	require.NoError(t, err)
	_, err = set.WithConfigurations(more)
	assert.ErrorContains(t, err, "w/manifests.yaml:2: metadata.name: \"mutating-webhook-configuration\" is configured in crd/manifests.yaml:2 already")

	alone := Set{Definitions: set.Definitions}
	with, err := alone.WithConfigurations(more)
	require.NoError(t, err)
	assert.Empty(t, alone.Admission)
	paths := []string{"/validate-a"}
	assert.True(t, with.IsAdmittedAt(paths))
	kept, _, err := admitted(with.Admission, paths)
	require.NoError(t, err)
	same, _, err := admitted(set.Admission, paths)
	require.NoError(t, err)
	assert.Equal(t, same, kept)
}
