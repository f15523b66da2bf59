package objects

import (
	"encoding/base64"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// IsIntOrString reports whether a schema accepts a number or a text.
func IsIntOrString(at *spec.Schema) bool {
	if marked, _ := at.Extensions["x-kubernetes-int-or-string"].(bool); marked || at.Format == "int-or-string" {
		return true
	}
	return len(at.OneOf) == 2 && at.OneOf[0].Type.Contains("integer") && at.OneOf[1].Type.Contains("string")
}

// IsOpen reports whether a schema accepts undescribed values: any value, or any object.
func IsOpen(at *spec.Schema) bool {
	open, _ := at.Extensions["x-kubernetes-preserve-unknown-fields"].(bool)
	return open && len(at.Properties) == 0 && at.AdditionalProperties == nil && at.Items == nil && (len(at.Type) == 0 || at.Type.Contains("object"))
}

// anything generates a value for a place that accepts any, and an object for one that
// accepts any object.
func (g *generator) anything(at *spec.Schema) any {
	object := map[string]any{"a": "x", "b": map[string]any{"n": int64(1 + g.pick(9))}}
	if g.plain || len(at.Type) > 0 || g.chance(0.6) {
		return object
	}
	return []any{g.word(), int64(g.pick(10)), g.chance(0.5), []any{object}}[g.pick(4)]
}

// scalar generates a text, a number or a truth value.
func (g *generator) scalar(at *spec.Schema) (any, bool) {
	switch {
	case at.Type.Contains("string"):
		return g.text(at)
	case at.Type.Contains("integer"):
		return g.integer(at)
	case at.Type.Contains("number"):
		n, ok := g.integer(at)
		if !ok {
			if all := Fractions(at); len(all) > 0 {
				return all[0], true
			}
			return nil, false
		}
		if half := float64(n.(int64)) + 0.5; at.MultipleOf == nil && !g.plain && g.chance(0.5) && Within(at, half) {
			return half, true
		}
		return n, true
	case at.Type.Contains("boolean"):
		return g.chance(0.7), true
	case at.Type.Contains("object"):
		return map[string]any{}, true
	}
	return nil, false
}

// integer draws small values, zero, and values at the bounds.
func (g *generator) integer(at *spec.Schema) (any, bool) {
	low, high := Bounds(at)
	n := int64(1 + g.pick(9))
	if !g.plain {
		switch g.pick(10) {
		case 0, 1:
			n = 0
		case 2:
			n = int64(10 + g.pick(90))
		case 3:
			n = int64(-1 - g.pick(9))
		case 4:
			n = int64(1000 + g.pick(60000))
		case 5:
			if at.Format == "int64" { // larger than int32, and too large for a float64 to represent exactly
				n = []int64{math.MaxInt32 + 1, math.MinInt32 - 1, 1<<53 + 1}[g.pick(3)]
			}
		}
	}
	n = min(max(n, low), high)
	if m := wholeMultiple(at); m > 0 {
		if n -= n % m; n < low && n <= math.MaxInt64-m {
			n += m
		}
	}
	return n, Within(at, float64(n))
}

// wholeMultiple returns the whole number of which numbers of a schema are multiples; 0: there is none.
func wholeMultiple(at *spec.Schema) int64 {
	if at.MultipleOf == nil || *at.MultipleOf < 1 || *at.MultipleOf != math.Trunc(*at.MultipleOf) || *at.MultipleOf >= math.MaxInt64 {
		return 0
	}
	return int64(*at.MultipleOf)
}

// Multiples returns the whole numbers next to the bounds of a schema that are multiples of the number of which its
// numbers must be; none, if they may be any.
func Multiples(at *spec.Schema) (all []int64) {
	m := wholeMultiple(at)
	if m == 0 {
		return nil
	}
	low, high := Bounds(at)
	for _, n := range []int64{m, low - low%m, high - high%m} {
		if n < low && n <= math.MaxInt64-m {
			n += m
		}
		if n >= low && n <= high && Within(at, float64(n)) {
			all = append(all, n)
		}
	}
	return all
}

// Fractions returns numbers with a fraction within the bounds of a schema, for one that permits no whole number.
func Fractions(at *spec.Schema) (all []any) {
	tried := []float64{0.5, 1.5}
	switch {
	case at.Minimum != nil && at.Maximum != nil:
		tried = append(tried, (*at.Minimum+*at.Maximum)/2, *at.Minimum, *at.Maximum)
	case at.Minimum != nil:
		tried = append(tried, *at.Minimum, *at.Minimum+0.5)
	case at.Maximum != nil:
		tried = append(tried, *at.Maximum, *at.Maximum-0.5)
	}
	for _, n := range tried {
		if m := at.MultipleOf; m != nil && *m > 0 {
			n = math.Round(n / *m) * *m
		}
		if Within(at, n) && !math.IsInf(n, 0) {
			all = append(all, PlainJSON(n))
		}
	}
	return all
}

// Bounds returns the least and the greatest whole number: of an int64, or of a field whose
// published bounds exceed int32.
func Bounds(at *spec.Schema) (low, high int64) {
	low, high = math.MinInt32, math.MaxInt32
	if at.Format == "int64" || at.Minimum != nil && *at.Minimum >= math.MaxInt32 {
		high = math.MaxInt64
	}
	if at.Format == "int64" || at.Maximum != nil && *at.Maximum <= math.MinInt32 {
		low = math.MinInt64
	}
	if at.Minimum != nil {
		low = wholeNumber(math.Ceil(*at.Minimum))
		if at.ExclusiveMinimum && float64(low) == *at.Minimum {
			low++
		}
	}
	if at.Maximum != nil {
		high = wholeNumber(math.Floor(*at.Maximum))
		if at.ExclusiveMaximum && float64(high) == *at.Maximum {
			high--
		}
	}
	return low, high
}

// wholeNumber returns a number as an int64, or the nearest that one can hold.
func wholeNumber(n float64) int64 {
	switch {
	case n >= math.MaxInt64:
		return math.MaxInt64
	case n <= math.MinInt64:
		return math.MinInt64
	}
	return int64(n)
}

// Within reports whether a number is within the bounds that a schema states.
func Within(at *spec.Schema, n float64) bool {
	switch {
	case at.Minimum != nil && (n < *at.Minimum || at.ExclusiveMinimum && n == *at.Minimum):
		return false
	case at.Maximum != nil && (n > *at.Maximum || at.ExclusiveMaximum && n == *at.Maximum):
		return false
	}
	return true
}

// text generates a text of the published format, length and pattern; false if it cannot
// match the pattern.
func (g *generator) text(at *spec.Schema) (any, bool) {
	switch at.Format {
	case "date-time":
		return g.time(false), true
	case "date":
		return g.time(false)[:len(time.DateOnly)], true
	case "byte":
		return base64.StdEncoding.EncodeToString([]byte("b" + g.word())), true
	case "duration":
		return fmt.Sprintf("%ds", 1+g.pick(600)), true
	case "uuid":
		return fmt.Sprintf("%08x-0000-4000-8000-%012x", g.random.Uint32(), g.random.Uint32()), true
	case "ipv4":
		return fmt.Sprintf("10.0.0.%d", 1+g.pick(200)), true
	}
	for _, text := range OfFormat(at.Format) {
		if Matches(at, text) {
			return text, true
		}
	}
	first := g.word()
	if at.Pattern == "" {
		return Fitted(at, first), true
	}
	for _, text := range append([]string{first, "a", "A", "1", "1s", "a.b", "a/b"}, Matching(at.Pattern)...) {
		text = Fitted(at, text)
		if matches, err := regexp.MatchString(at.Pattern, text); err == nil && matches {
			return text, true
		}
	}
	return nil, false
}

// maxLength is a length that no text of an object has: servers refuse larger objects.
const maxLength = 1 << 21

// Fitted returns a text with a length that a schema permits, if an object has room for one.
func Fitted(at *spec.Schema, text string) string {
	if at.MinLength != nil && *at.MinLength < maxLength {
		text += strings.Repeat("a", max(0, int(*at.MinLength)-utf8.RuneCountInString(text)))
	}
	if at.MaxLength != nil && utf8.RuneCountInString(text) > int(*at.MaxLength) {
		text = string([]rune(text)[:max(0, int(*at.MaxLength))])
	}
	return text
}

// word draws a text that is a valid name nearly everywhere. Now and then it is empty, or in
// other scripts: conversions must keep those too.
func (g *generator) word() string {
	names := []string{"a", "b", "c", "d-1", "e0", "word"}
	name := names[g.pick(len(names))]
	if g.plain {
		return name
	}
	switch g.pick(40) {
	case 0:
		return ""
	case 1:
		return "Größe 1:\t\"½\""
	}
	return name
}

// quantity draws an amount, in one of its many spellings.
func (g *generator) quantity() string {
	if g.plain {
		return "1"
	}
	all := []string{"1", "2", "1000m", "500m", "1500m", "1Ki", "1Gi", "1.5Gi", "1k", "1e3", "0.5", "0", "100"}
	return all[g.pick(len(all))]
}

func (g *generator) intOrString() any {
	if g.plain || g.chance(0.6) {
		return int64(1 + g.pick(20))
	}
	texts := []string{"25%", "100%", "a"}
	return texts[g.pick(len(texts))]
}

// time draws a time in the past, in whole seconds or with a fraction.
func (g *generator) time(fraction bool) string {
	layout := time.RFC3339
	at := time.Unix(1_500_000_000+int64(g.pick(200_000_000)), 0).UTC()
	if fraction {
		layout = "2006-01-02T15:04:05.000000Z07:00"
		at = at.Add(time.Duration(g.pick(1_000_000)) * time.Microsecond)
	}
	return at.Format(layout)
}

// PlainJSON returns a published value in the types that encoding/json decodes to.
func PlainJSON(v any) any {
	if n, ok := v.(float64); ok && n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return v
}
