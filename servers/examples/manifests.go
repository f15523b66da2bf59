package examples

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Manifests are complete objects from the manifests of a release's module, by apiVersion and
// kind, "apps/v1 Deployment"; smaller ones first.
type Manifests map[string][]json.RawMessage

// manifestFolders are the folders of a release's module with manifests that its own tests create.
var manifestFolders = []string{"test/e2e/testing-manifests", "test/fixtures", "hack/testdata"}

// largestManifest is how long a file of manifests may be: longer ones are of custom resource
// definitions, which are examples of nothing else.
const largestManifest = 64 << 10

// ReadManifests reads the manifests of the module k8s.io/kubernetes in a folder. It replaces the
// namespace in them by the given one. What cannot be read, such as a template, is left out.
func ReadManifests(folder, namespace string) Manifests {
	all := Manifests{}
	for _, below := range manifestFolders {
		_ = filepath.WalkDir(filepath.Join(folder, filepath.FromSlash(below)), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) {
				all.readFile(name, namespace)
			}
			return nil // a folder that a release does not have
		})
	}
	for key, objects := range all {
		slices.SortStableFunc(objects, func(a, b json.RawMessage) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b))
		})
		all[key] = slices.CompactFunc(objects, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
	}
	return all
}

func (m Manifests) readFile(name, namespace string) {
	text, err := os.ReadFile(name)
	if err != nil || len(text) > largestManifest {
		return
	}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if err != nil {
			return
		}
		var object map[string]any
		if yaml.Unmarshal(document, &object) == nil {
			m.add(object, namespace)
		}
	}
}

// add adds an object, or each object of a list.
func (m Manifests) add(object map[string]any, namespace string) {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if items, is := object["items"].([]any); is && strings.HasSuffix(kind, "List") {
		for _, item := range items {
			if one, is := item.(map[string]any); is {
				m.add(one, namespace)
			}
		}
		return
	}
	if apiVersion == "" || kind == "" {
		return
	}
	if metadata, is := object["metadata"].(map[string]any); is && metadata["namespace"] != nil {
		metadata["namespace"] = namespace
	}
	if text, err := json.Marshal(object); err == nil {
		m[apiVersion+" "+kind] = append(m[apiVersion+" "+kind], text)
	}
}
