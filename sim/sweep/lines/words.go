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

// InPart reports whether writes that were refused change only what is beside a value, or a part of it, and
// labels are written through the same releases. Writes are in words.
func InPart(refused, kept []string) bool {
	return len(refused) > 0 && !slices.ContainsFunc(refused, func(write string) bool {
		_, beside, isBeside := strings.Cut(write, " of "+Beside)
		_, part, isPart := strings.Cut(write, " of "+Part)
		return !isBeside && !isPart || !slices.ContainsFunc(kept, func(other string) bool { return strings.HasSuffix(other, " of "+Label+beside+part) })
	})
}
