package sweep

import (
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"testing/fstest"

	kjson "sigs.k8s.io/json"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// FileSystem returns files as scenarios are loaded from them.
func FileSystem(files map[string][]byte) fs.FS {
	fsys := fstest.MapFS{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fsys[name] = &fstest.MapFile{Data: files[name]}
	}
	return fsys
}

// ScenarioText returns a scenario as a file, without the keys that are empty.
func ScenarioText(s scenarios.Scenario) ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var keys map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &keys); err != nil {
		return nil, err
	}
	for key, value := range keys {
		if v, ok := value.(map[string]any); value == nil || ok && len(v) == 0 {
			delete(keys, key)
		}
	}
	if s.Expect != nil && len(s.Expect) == 0 {
		keys["expect"] = []any{}
	}
	return strict.Marshal(keys)
}
