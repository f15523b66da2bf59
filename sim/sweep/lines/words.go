package lines

import (
	"slices"
	"strings"
)

// What a write changes, in words.
const (
	Label  = "a label"
	Beside = "a field beside the value"
	Part   = "another part of the value or of its list"
)

// IsInPart reports whether a write that was refused changes only what is beside a value, or a part of it, and
// a write that was accepted changes a label through the same release. Writes are in words.
func IsInPart(refused string, accepted []string) bool {
	_, through, isBeside := strings.Cut(refused, " of "+Beside)
	if !isBeside {
		_, through, isBeside = strings.Cut(refused, " of "+Part)
	}
	return isBeside && slices.ContainsFunc(accepted, func(write string) bool { return strings.HasSuffix(write, " of "+Label+through) })
}
