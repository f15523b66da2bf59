package blame

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/history"
)

// Mutated reports whether an admission webhook changed a value of what a call sent, or what the value
// is in.
func Mutated(x history.Exchange, at fieldpath.Path) bool {
	text := path.String(at)
	return slices.ContainsFunc(x.Mutated, func(pointer string) bool {
		member := memberAt(pointer)
		return member != "" && (text == member || strings.HasPrefix(text, member+".") || strings.HasPrefix(text, member+"["))
	})
}

// memberAt returns the member that a JSON pointer leads to, up to its first list: lists are written by
// position there, and elsewhere by key.
func memberAt(pointer string) string {
	var b strings.Builder
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if part == "-" || part == "" || strings.Trim(part, "0123456789") == "" {
			break
		}
		b.WriteString("." + strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
	}
	return b.String()
}
