package scenarios_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
)

const whereScenario = `name: s
about: x
objects: {x: {bystander: o/pod.yaml}, y: {bystander: o/pod.json}}
play: [{create: x}, {create: y}]
`

const wherePod = `# a pod
apiVersion: v1
kind: Pod
metadata:
  labels: {a.b/c: x}
spec:
  containers:
  - name: a
    image: b
  - name: c
    ports:
    - {containerPort: 1}
    - {containerPort: 2, protocol: X}
`

// TestWhere: the line of what a server names, or of what it would be in.
func TestWhere(t *testing.T) {
	s, err := load.FS(fstest.MapFS{
		"d/s.yaml": {Data: []byte(whereScenario)}, "d/o/pod.yaml": {Data: []byte(wherePod)},
		"d/o/pod.json": {Data: []byte(`{"apiVersion": "v1",` + "\n" + `"kind": "Pod", "metadata": {"labels": {"a": "\ud83d\ude00"}}}`)},
	}, "d/s.yaml")
	require.NoError(t, err)
	for field, want := range map[string]string{
		"spec.containers[1].ports[1].protocol": "d/o/pod.yaml:13",
		"spec.containers[0].image":             "d/o/pod.yaml:9",
		"spec.containers[1].image":             "d/o/pod.yaml:10", // that has none
		"spec.containers[7].image":             "d/o/pod.yaml:7",
		"spec.containers.ports.containerPort":  "d/o/pod.yaml:12", // as Go's decoder names it
		"metadata.labels[a.b/c]":               "d/o/pod.yaml:5",
		"spec.nodeName":                        "d/o/pod.yaml:6",
		"kind":                                 "d/o/pod.yaml:3",
		"status":                               "d/o/pod.yaml:2",
		"":                                     "d/o/pod.yaml:2",
	} {
		assert.Equal(t, want, s.Where("o/pod.yaml", field), field)
	}
	assert.Equal(t, "d/o/pod.json", s.Where("o/pod.json", "kind"), "JSON that is no YAML has no lines")
	assert.Equal(t, "d/none.yaml", s.Where("none.yaml", "kind"))
	assert.Equal(t, "d/s.yaml:3", s.Place("objects.x.bystander"))
	assert.Equal(t, "d/s.yaml:4", s.Place("play[0].via[1]"))
	assert.Equal(t, "d/s.yaml:1", s.Place("new.featureGates.Glow"))
}

// TestNoObject: the mistakes of an object file that are found without a server.
func TestNoObject(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: Pod\n": "",
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {namespace: x}\n": "",
		"kind: Pod\napiVersion: apps/v1/x\n":                                               `d/o/pod.yaml:2: apiVersion: "apps/v1/x" is not a group and version such as apps/v1, or v1`,
		"kind: Pod\napiVersion: ../v1\n":                                                   `d/o/pod.yaml:2: apiVersion: "../v1" is not a group and version such as apps/v1, or v1`,
		"apiVersion: v1\nkind: config map\n":                                               `d/o/pod.yaml:2: kind: "config map" is not a kind such as Deployment`,
		"apiVersion: v1\nkind: Pod\nmetadata: [a]\n":                                       "d/o/pod.yaml:3: metadata is not a map of fields such as labels",
		"apiVersion: v1\nkind: Pod\nspec:\n\tnodeName: x":                                  "d/o/pod.yaml:4: not YAML: the line is indented with a tab, and YAML takes spaces alone",
		"apiVersion: v1\nkind: PodList\nitems: []\n":                                       `d/o/pod.yaml:2: kind "PodList" holds several objects: give each its own file`,
	} {
		_, err := load.FS(fstest.MapFS{
			"d/s.yaml": {Data: []byte("name: s\nabout: x\nobjects: {x: {bystander: o/pod.yaml}}\nplay: [{create: x}]\n")}, "d/o/pod.yaml": {Data: []byte(text)},
		}, "d/s.yaml")
		if want == "" {
			assert.NoError(t, err, text)
			continue
		}
		assert.EqualError(t, err, want, text)
	}
}
