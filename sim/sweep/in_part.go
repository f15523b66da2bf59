package sweep

import (
	"slices"
	"strings"
)

// What a write changes, in words.
const (
	Label     = "a label"
	Condition = "a status condition"
	Beside    = "a field beside the value"
	LinePart  = "another part of the value or of its list"
)

// IsInPart reports whether a write that was refused changes only what is beside a value, a part of it or the
// status, and a write that was accepted changes a label through the same release. Writes are in words.
func IsInPart(refused string, accepted []string) bool {
	for _, part := range []string{Beside, LinePart, Condition} {
		if _, through, is := strings.Cut(refused, " of "+part); is {
			return slices.ContainsFunc(accepted, func(write string) bool { return strings.HasSuffix(write, " of "+Label+through) })
		}
	}
	return false
}
