package examples

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// Serialized is one object with every field set, as a release stores it. It is not valid.
type Serialized struct{ JSON, Protobuf []byte }

// ReadSerialized reads the objects of the round-trip test in the folder of the module
// k8s.io/api, by apiVersion and kind, "apps/v1 Deployment"; none if the module has no such test.
func ReadSerialized(folder string) map[string]Serialized {
	all := map[string]Serialized{}
	names, _ := filepath.Glob(filepath.Join(folder, "testdata", "HEAD", "*.json"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		var object struct{ APIVersion, Kind string }
		if err != nil || json.Unmarshal(text, &object) != nil || object.Kind == "" {
			continue
		}
		binary, err := os.ReadFile(strings.TrimSuffix(name, ".json") + ".pb")
		if err != nil {
			continue // what is never stored may have none
		}
		all[object.APIVersion+" "+object.Kind] = Serialized{JSON: text, Protobuf: binary}
	}
	return all
}
