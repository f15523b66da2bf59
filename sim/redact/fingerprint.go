package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"regexp"
)

// prefix begins every fingerprint.
const prefix = "sha256:"

// shown is how many bytes of the HMAC a fingerprint shows: 12 hex digits tell
// the values of any one run apart.
const shown = 6

// form is what a fingerprint looks like.
var form = regexp.MustCompile(`^sha256:[0-9a-f]{12}$`)

// IsFingerprint reports whether the value is one that Value returned.
func IsFingerprint(value any) bool {
	text, ok := value.(string)
	return ok && form.MatchString(text)
}

// mask walks objects, and puts something else in the place of what is
// confidential by its policy.
type mask struct {
	policy Policy
	put    func(value []byte) string // what is shown in the place of a value
}

// fingerprints puts the fingerprint of each value.
func fingerprints(salt string) func([]byte) string {
	return func(value []byte) string {
		mac := hmac.New(sha256.New, []byte(salt))
		mac.Write(value)
		return prefix + hex.EncodeToString(mac.Sum(nil)[:shown])
	}
}

// withhold puts one word for every value.
func withhold([]byte) string { return Withheld }

// leaves replaces every leaf below value. Names of keys stay: they are not
// confidential in Kubernetes either (managedFields repeats them). Nil stays
// too, for in a patch it removes.
func (m mask) leaves(value any, encoded bool) any {
	switch v := value.(type) {
	case nil:
		return nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, below := range v {
			out[key] = m.leaves(below, encoded)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, below := range v {
			out[i] = m.leaves(below, encoded)
		}
		return out
	case string:
		return m.text(v, encoded)
	}
	return m.any(value)
}

// text masks a string. What is encoded is decoded first, so that a value sent
// in stringData and answered in data has one fingerprint.
func (m mask) text(value string, encoded bool) any {
	if IsFingerprint(value) || value == Withheld {
		return value
	}
	if encoded {
		if decoded, err := base64.StdEncoding.DecodeString(value); err == nil {
			return m.put(decoded)
		}
	}
	return m.put([]byte(value))
}

// any masks a value of any type.
func (m mask) any(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return Withheld // what cannot be encoded cannot be compared either
	}
	return m.put(encoded)
}
