package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/sim/diff"
)

// RowID names a difference, independent of where it is in a comparison: its kind, where it is
// declared, and what it is called.
func RowID(d diff.Difference) string {
	parts := []string{string(d.Difference)}
	switch {
	case d.Type != "" && d.Path != "":
		// A published type has a field at many paths, and the type does not depend on which of them
		// represents the others.
		parts = append(parts, d.Type, LastField(d.Path))
	case d.Kind != "":
		parts = append(parts, GroupVersion(d.Group, d.Version), d.Kind, d.Path)
	case d.Group != "" || d.Version != "":
		parts = append(parts, GroupVersion(d.Group, d.Version))
	}
	return strings.Join(WithoutEmpty(append(parts, d.Name)), "/")
}

// PlaceID is the ID of a difference at one of its places, for a sweep of all paths.
func PlaceID(d diff.Difference, p diff.Place) string {
	return RowID(d) + "@" + strings.Join(WithoutEmpty([]string{p.APIVersion, p.Kind, p.Path}), "/")
}

// GroupVersion returns an apiVersion; that of the core group is its version alone.
func GroupVersion(group, version string) string {
	return strings.Join(WithoutEmpty([]string{group, version}), "/")
}

// WithoutEmpty returns the texts that are not empty.
func WithoutEmpty(parts []string) (all []string) {
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return all
}

// LastField is the last field name of a path: .spec.containers[].image has image.
func LastField(path string) string {
	_, field := CutField(path)
	return field
}

const (
	// longestWord bounds the words of an object's name, so that the name of a copy fits where 63
	// characters do.
	longestWord = 12
	// digits are how many of a hash make names differ.
	digits = 6
)

// ObjectName returns the name that an object has in scenarios: two words for readers, and a
// hash of all that distinguishes it.
func ObjectName(kind, what string, of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{kind, what}, of...), "\x00")))
	words := WithoutEmpty([]string{plainWord(kind), plainWord(what), hex.EncodeToString(sum[:])[:digits]})
	return strings.Join(words, "-")
}

// plainWord is a text as a part of an object's name.
func plainWord(text string) string {
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(text))
	return word[:min(len(word), longestWord)]
}

// CutField splits a path into the struct and its field. The name of a field with a dot in it is quoted: .spec["a.b"].
func CutField(path string) (parent, field string) {
	for strings.HasSuffix(path, anyElement) {
		path = strings.TrimSuffix(path, anyElement)
	}
	if quoted := quotedField.FindStringSubmatchIndex(path); quoted != nil {
		if name, err := strconv.Unquote(path[quoted[2]:quoted[3]]); err == nil {
			return path[:quoted[0]], name
		}
	}
	at := strings.LastIndexByte(path, '.')
	if at < 0 {
		return "", path
	}
	return path[:at], path[at+1:]
}

// quotedField matches a quoted name at the end of a path.
var quotedField = regexp.MustCompile(`\[("(?:[^"\\]|\\.)*")\]$`)

// CutAPIVersion splits an apiVersion; the core group is "".
func CutAPIVersion(apiVersion string) (group, version string) {
	if group, version, grouped := strings.Cut(apiVersion, "/"); grouped {
		return group, version
	}
	return "", apiVersion
}

// IsStable reports whether a version is neither alpha nor beta.
func IsStable(version string) bool {
	return !strings.Contains(version, "alpha") && !strings.Contains(version, "beta")
}
