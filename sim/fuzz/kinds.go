package fuzz

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// meant returns the kind whose name differs only in the case of letters.
func meant(name string, all []string) string {
	for _, kind := range all {
		short, _, _ := strings.Cut(kind, ".")
		for _, k := range []string{kind, short} {
			if strings.EqualFold(k, name) {
				return fmt.Sprintf(": did you mean %q?", k)
			}
		}
	}
	return ""
}

// kindsOf returns the kinds to generate, among those that both releases serve. A single
// kind need not be named.
func kindsOf(old, new *Release, wanted []string) ([]string, error) {
	var all []string
	for _, d := range slices.Concat(old.Served, new.Served) {
		all = append(all, KindName(d))
	}
	all = SortedUnique(all)
	var problems []error
	for _, name := range wanted {
		if !slices.ContainsFunc(all, func(k string) bool { return NamesKind(name, k) }) {
			problems = append(problems, fault.Optionf("{kind} %s: neither %s nor %s serves it so that it can be created and replaced%s", name, old.Version, new.Version, meant(name, all)))
		}
	}
	if len(wanted) == 0 && len(all) != 1 {
		problems = append(problems, fault.Optionf("no kinds are named, and both releases serve %d: name some with {kind}, such as %s, or '*' for all", len(all), strings.Join(all[:min(5, len(all))], ", ")))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, &servers.RequestError{Err: err}
	}
	return all, nil
}
