package template

import (
	"crypto/sha256"
	"encoding/json"
)

// Identity is the same for all objects whose templates make one Pod: in one namespace, with the same values but those
// of labels, which differ between the objects that one owner makes. It is "" for an object without a template.
func Identity(object map[string]any, namespace string) string {
	pod, _ := Of(object, namespace)
	if pod == nil {
		return ""
	}
	raw, _ := json.Marshal([]any{namespace, within(pod, "metadata")["annotations"], pod["spec"]}) // it came from JSON
	sum := sha256.Sum256(raw)
	return string(sum[:])
}
