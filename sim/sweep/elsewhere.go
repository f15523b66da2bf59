package sweep

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

var (
	objection = regexp.MustCompile(`([A-Za-z][\w.\-\[\]()]*): (?:Required value|Invalid value|Unsupported value|Duplicate value|Too long|Too many|Forbidden)\b`)
	element   = regexp.MustCompile(`\[[^\]]*\]`)
)

// Elsewhere reports whether a finding is about nothing but fields within the value that its object is
// for, each of which has a row of its own: those that the new release removed. Their loss says nothing
// of the list or struct that they were in.
func Elsewhere(f result.Finding, value string, removed []string) bool {
	outer := FieldOf(value)
	isOfOther := func(field string) bool {
		return slices.ContainsFunc(removed, func(r string) bool { return !Within(outer, r) && Within(r, outer) && Within(field, r) })
	}
	if value == "" || f.Path != "" || f.Outcome != term.Frozen {
		return value != "" && f.Path != "" && isOfOther(FieldOf(f.Path))
	}
	named := objection.FindAllStringSubmatch(f.Message, -1)
	return len(named) > 0 && !slices.ContainsFunc(named, func(m []string) bool {
		return !isOfOther("." + strings.TrimPrefix(element.ReplaceAllString(m[1], "[]"), "."))
	})
}
