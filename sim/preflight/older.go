package preflight

import (
	"encoding/json"
	"fmt"
)

// olderVersion is the format that has classes where SchemaVersion has outcomes.
const olderVersion = "skewsim.dev/preflight/v1"

// Decode reads a preflight.json, also of the format before.
func Decode(text []byte) (r Result, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("is not the preflight.json of a preflight: %w", err)
	}
	switch r.SchemaVersion {
	case SchemaVersion:
		return r, nil
	case olderVersion:
	default:
		return r, fmt.Errorf("has the format %q, and this skewsim reads %s and %s", r.SchemaVersion, SchemaVersion, olderVersion)
	}
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return r, fmt.Errorf("is not the preflight.json of a preflight: %w", err)
	}
	text, _ = json.Marshal(renewed(document))
	r = Result{}
	err = json.Unmarshal(text, &r)
	r.SchemaVersion = SchemaVersion
	return r, err
}

// renewed returns a document of the older format, or a part of it, with the keys of this one. The words are
// read as what they are now.
func renewed(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = renewed(v[i])
		}
	case map[string]any:
		for was, is := range map[string]string{"class": "outcome", "classes": "outcomes"} {
			if value, has := v[was]; has {
				delete(v, was)
				v[is] = value
			}
		}
		for key := range v {
			v[key] = renewed(v[key])
		}
	}
	return v
}
