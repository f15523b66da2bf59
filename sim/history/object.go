package history

import (
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// decodeObject decodes a JSON object with apimachinery's number rules, and
// returns nil for any other document.
func decodeObject(raw []byte) map[string]any {
	var obj map[string]any
	if err := utiljson.Unmarshal(raw, &obj); err != nil {
		return nil
	}
	return obj
}
