package redact

import (
	"encoding/base64"
	"sort"
	"strconv"
	"strings"
)

// Withheld stands where a confidential text was.
const Withheld = "withheld: confidential"

// shortest is the length below which a value is not looked for in texts: a
// secret of three letters is found in half the words of any sentence.
const shortest = 4

// Values collects the confidential texts of a body about an object of the
// kind, in every form in which a server may repeat them in a message: as they
// stand, decoded, encoded, and quoted.
func (p Policy) Values(kind string, body any) []string {
	found := map[string]bool{}
	collect := func(value []byte) string {
		forms(string(value), found)
		return Withheld
	}
	mask{policy: p, put: collect}.body(kind, body)
	values := make([]string, 0, len(found))
	for value := range found {
		values = append(values, value)
	}
	sort.Strings(values)
	return values
}

// forms adds the forms of one value. Words of JSON's own are in any sentence.
func forms(value string, found map[string]bool) {
	if value == "true" || value == "false" {
		return
	}
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
