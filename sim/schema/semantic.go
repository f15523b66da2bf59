package schema

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// The definitions whose values have several spellings. Their names are those
// apimachinery publishes, and end so in every API server that uses it.
const (
	quantityType  = ".api.resource.Quantity"
	timeType      = ".apis.meta.v1.Time"
	microTimeType = ".apis.meta.v1.MicroTime"
)

// Empty is the Semantic of an empty map or list: they are as good as absent to
// most encoders, and equal to each other.
const Empty = "empty"

// semantic gives a value the spelling in which equal values are equal.
func semantic(v any, typeName string) string {
	switch {
	case strings.HasSuffix(typeName, quantityType):
		return quantity(v)
	case isTime(typeName):
		return instant(v)
	}
	switch t := v.(type) {
	case map[string]any:
		if len(t) == 0 {
			return Empty
		}
	case []any:
		if len(t) == 0 {
			return Empty
		}
	}
	return compact(v)
}

// malformed reports whether a value's semantic form shows that the value is invalid for its
// type.
func malformed(semantic, typeName string) bool {
	switch {
	case strings.HasSuffix(typeName, quantityType):
		return !strings.HasPrefix(semantic, "quantity ")
	case isTime(typeName):
		return !strings.HasPrefix(semantic, "time ")
	}
	return false
}

func quantity(v any) string {
	text, ok := v.(string)
	if !ok {
		text = compact(v)
	}
	if tooLarge(text) {
		return compact(v)
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return compact(v)
	}
	// The decimal keeps the scale it was written in: 1000m is 1.000, not 1.
	exact, ok := new(big.Rat).SetString(q.AsDec().String())
	if !ok {
		return compact(v)
	}
	return "quantity " + exact.RatString()
}

// tooLarge reports whether a quantity is longer than any real one, or has more than three
// digits in its exponent: twelve bytes would become gigabytes of zeros.
func tooLarge(text string) bool {
	at := strings.LastIndexAny(text, "eE")
	return len(text) > 100 || at >= 0 && len(strings.TrimLeft(text[at+1:], "+-0")) > 3
}

func instant(v any) string {
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return compact(v)
	}
	return "time " + at.UTC().Format(time.RFC3339Nano)
}

// compact is a value as JSON. What most values are is written without the
// encoder, which takes its time.
func compact(v any) string {
	switch t := v.(type) {
	case string:
		if isSimple(t) {
			return `"` + t + `"`
		}
	case int64:
		return strconv.FormatInt(t, 10)
	case bool:
		return strconv.FormatBool(t)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "unprintable"
	}
	return string(raw)
}

// isSimple reports whether JSON represents the text unchanged.
func isSimple(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			return false
		}
	}
	return true
}
