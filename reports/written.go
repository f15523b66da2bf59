package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// longest is how many characters of a value a table shows; the body that is
// opened beside it has the rest.
const longest = 160

// written writes a value as JSON, or says that there is none.
func written(value any, has bool) string {
	if !has {
		return "absent"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the template escapes
	if err := enc.Encode(value); err != nil {
		return fmt.Sprintf("not JSON: %v", err)
	}
	text := visible(string(bytes.TrimSpace(b.Bytes())))
	if utf8.RuneCountInString(text) > longest {
		return string([]rune(text)[:longest]) + "…"
	}
	return text
}

// size writes a number of bytes.
func size(n int) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/1024)
}

// seconds writes a duration with as many digits as tell something.
func seconds(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// short is the start of a digest, enough to tell builds apart.
func short(digest string) string {
	const prefix, digits = "sha256:", 12
	if len(digest) > len(prefix) && digest[:len(prefix)] == prefix {
		digest = digest[len(prefix):]
	}
	return digest[:min(digits, len(digest))]
}
