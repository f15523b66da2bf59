package redact

import (
	"encoding/base64"
	"sort"
	"strconv"
	"strings"
)

// Withheld stands where a confidential text was.
const Withheld = "withheld: Secret"

// shortest is the length below which a value is not looked for in texts: a
// secret of three letters is found in half the words of any sentence.
const shortest = 4

// Values collects the confidential strings of a body about an object of the
// kind, in every form in which a server may repeat them in a message: as they
// stand, decoded, encoded, and quoted.
func Values(kind string, body any) []string {
	found := map[string]bool{}
	gather(nil, kind, body, found)
	values := make([]string, 0, len(found))
	for value := range found {
		values = append(values, value)
	}
	sort.Strings(values)
	return values
}

// gather walks a body for the strings at confidential places.
func gather(path []string, kind string, value any, found map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		gatherFields(path, kind, v, found)
	case []any:
		for _, item := range v {
			gather(path, kind, item, found)
		}
	case string:
		if kind == Kind && confidential(path) {
			forms(v, found)
		}
	}
}

// gatherFields walks an object, an item of a list, or an operation of a JSON patch.
func gatherFields(path []string, kind string, fields map[string]any, found map[string]bool) {
	if len(path) == 0 {
		kind = kindOf(fields, kind)
		if pointer, ok := fields["path"].(string); ok && fields["op"] != nil {
			gather(pointerSegments(pointer), kind, fields["value"], found)
			return
		}
		if items, ok := fields["items"].([]any); ok {
			gather(nil, kind, items, found)
		}
	}
	for name, below := range fields {
		gather(append(append([]string(nil), path...), name), kind, below, found)
	}
}

// kindOf is the kind an object names, or the one it is known to have.
func kindOf(fields map[string]any, known string) string {
	kind, ok := fields["kind"].(string)
	if !ok || known == Kind {
		return known
	}
	return strings.TrimSuffix(kind, "List")
}

// forms adds the forms of one value.
func forms(value string, found map[string]bool) {
	all := []string{value, base64.StdEncoding.EncodeToString([]byte(value))}
	if decoded, err := base64.StdEncoding.DecodeString(value); err == nil {
		all = append(all, string(decoded))
	}
	for _, form := range all {
		for _, f := range []string{form, strings.Trim(strconv.Quote(form), `"`)} {
			if len(f) >= shortest && !IsFingerprint(f) {
				found[f] = true
			}
		}
	}
}

// Scrubber replaces the given values wherever they occur in a text. The
// longest goes first, so that no value is left half shown.
func Scrubber(values []string) *strings.Replacer {
	sorted := append([]string(nil), values...)
	sort.Slice(sorted, func(i, j int) bool {
		if len(sorted[i]) != len(sorted[j]) {
			return len(sorted[i]) > len(sorted[j])
		}
		return sorted[i] < sorted[j]
	})
	pairs := make([]string, 0, 2*len(sorted))
	for _, value := range sorted {
		pairs = append(pairs, value, Withheld)
	}
	return strings.NewReplacer(pairs...)
}
