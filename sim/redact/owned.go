package redact

import (
	"encoding/json"
	"strings"
)

// owned masks the names of managedFields that repeat values: those of a set's
// elements (v:"x"), and of the keys of a list's (k:{"name":"x"}).
func (m mask) owned(kind string, path []string, fields map[string]any) map[string]any {
	out := make(map[string]any, len(fields))
	for name, below := range fields {
		at := path
		if field, ok := strings.CutPrefix(name, "f:"); ok {
			at = append(append([]string(nil), path...), field)
		}
		if nested, ok := below.(map[string]any); ok {
			below = m.owned(kind, at, nested)
		}
		out[m.ownedName(kind, path, name)] = below
	}
	return out
}

// ownedName masks one such name.
func (m mask) ownedName(kind string, path []string, name string) string {
	form, text, ok := strings.Cut(name, ":")
	var value any
	if !ok || form != "v" && form != "k" || json.Unmarshal([]byte(text), &value) != nil {
		return name
	}
	masked, err := json.Marshal(m.at(kind, path, value))
	if err != nil {
		return form + ":" + Withheld // what cannot be encoded cannot be distinguished either
	}
	return form + ":" + string(masked)
}
