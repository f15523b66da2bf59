package result

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// RulesBroken names the rules that violations break: "rule-1 was broken". Those of which the scenario expects every
// violation are apart, since their checks pass: "rule-2 was broken, as expected".
func RulesBroken(findings []Finding) string {
	var rules, expected []string
	for _, e := range term.Rules() {
		breaks := func(f Finding) bool { return f.Class == term.Violation && f.Rule == e.Word }
		switch {
		case slices.ContainsFunc(findings, func(f Finding) bool { return breaks(f) && !f.Expected }):
			rules = append(rules, string(e.Word))
		case slices.ContainsFunc(findings, breaks):
			expected = append(expected, string(e.Word))
		}
	}
	switch {
	case len(rules)+len(expected) == 0:
		return "no rule was broken"
	case len(expected) == 0:
		return wereBroken(rules)
	case len(rules) == 0:
		return wereBroken(expected) + ", as expected"
	}
	return wereBroken(rules) + "; " + wereBroken(expected) + ", as expected"
}

func wereBroken(rules []string) string {
	last := len(rules) - 1
	if last == 0 {
		return rules[0] + " was broken"
	}
	return strings.Join(rules[:last], ", ") + " and " + rules[last] + " were broken"
}
