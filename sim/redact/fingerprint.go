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

// IsFingerprint tells whether the value is one that Value returned.
func IsFingerprint(value any) bool {
	text, ok := value.(string)
	return ok && form.MatchString(text)
}

// leaves replaces every leaf below value. Names of keys stay: they are not
// confidential in Kubernetes either (managedFields repeats them). Nil stays
// too, for in a patch it removes.
func leaves(value any, encoded bool, salt string) any {
	switch v := value.(type) {
	case nil:
		return nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, below := range v {
			out[key] = leaves(below, encoded, salt)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, below := range v {
			out[i] = leaves(below, encoded, salt)
		}
		return out
	case string:
		return text(v, encoded, salt)
	}
	return fingerprint(value, salt)
}

// text fingerprints a string. What is encoded is decoded first, so that a
// value sent in stringData and answered in data has one fingerprint.
func text(value string, encoded bool, salt string) any {
	if IsFingerprint(value) {
		return value
	}
	if encoded {
		if decoded, err := base64.StdEncoding.DecodeString(value); err == nil {
			return digest(decoded, salt)
		}
	}
	return digest([]byte(value), salt)
}

// fingerprint replaces a value of any type.
func fingerprint(value any, salt string) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return prefix + "unknown" // shown rather than risk printing the value
	}
	return digest(encoded, salt)
}

// digest is the fingerprint of the bytes under the salt.
func digest(value []byte, salt string) string {
	mac := hmac.New(sha256.New, []byte(salt))
	mac.Write(value)
	return prefix + hex.EncodeToString(mac.Sum(nil)[:shown])
}
