package blame

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// namesake returns the gate of a new field: a gate that is off in a release, that the other
// release does not have, and that is named like the field; "" if none exists.
func namesake(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) string {
	gate, sure := closestGate(ev, tl, role, p)
	if !sure {
		return ""
	}
	return gate
}

// possibleGate returns a gate that is named somewhat like a new field, possibly by chance; "" if none
// exists, or if one is the field's namesake.
func possibleGate(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) string {
	gate, sure := closestGate(ev, tl, role, p)
	if sure {
		return ""
	}
	return gate
}

// closestGate returns the gate whose name is most like a new field at a path and its parent, of
// those that are new with the field and off.
func closestGate(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) (gate string, sure bool) {
	return closestOf(ev, role, p, func(gate string) bool { return newAndOff(ev, tl, role, gate) })
}

// closestOf returns the gate whose name is most like the field at a path and its parent, of those
// that may be the field's. It is sure if all words of the field's name are in the gate's, or if no
// other gate has any word of both names. Words that many gates have are ignored.
func closestOf(ev *trace.Evidence, role term.Role, p fieldpath.Path, mayBe func(gate string) bool) (gate string, sure bool) {
	gates := ev.History.Releases[role].Gates
	words, field := fieldWords(p)
	telling := tellingWords(gates, words)
	has := func(gate string, word string) bool { return slices.Contains(wordsOf(gate), word) }
	like := slices.DeleteFunc(slices.Sorted(maps.Keys(gates)), func(gate string) bool {
		return !slices.ContainsFunc(telling, func(word string) bool { return has(gate, word) })
	})
	for _, name := range like {
		if !mayBe(name) {
			continue
		}
		whole := !slices.ContainsFunc(field, func(word string) bool { return !has(name, word) })
		if whole && len(field) > 0 || len(like) == 1 {
			return name, true
		}
		gate = cmp.Or(gate, name)
	}
	return gate, false
}

// newAndOff reports whether a gate is off in a release, unknown in the other, and not published
// for another field of the kind.
func newAndOff(ev *trace.Evidence, tl *trace.Timeline, role term.Role, gate string) bool {
	_, known := ev.History.Releases[role.Other()].Gates[gate]
	kind, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return !known && !ev.History.Releases[role].Gates[gate] && !slices.Contains(kind.Needs(), gate)
}

// tellingWords returns the words that few gates have in their names.
func tellingWords(gates map[string]bool, words []string) []string {
	const many = 4
	have := map[string]int{}
	for gate := range gates {
		for _, word := range words {
			if slices.Contains(wordsOf(gate), word) {
				have[word]++
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return have[word] >= many })
}

// fieldWords returns the words of the last field of a path, and those words together with the
// words of its parent.
func fieldWords(p fieldpath.Path) (both, field []string) {
	for i := len(p) - 1; i > 0; i-- {
		if p[i].FieldName == nil {
			continue
		}
		if field != nil {
			return append(wordsOf(*p[i].FieldName), field...), field
		}
		field = append([]string{}, wordsOf(*p[i].FieldName)...)
	}
	return field, field
}

// wordsOf returns the words of a name in camel case, in lower case and without the plural s: grpc
// and probe for GRPCProbes. Short words such as to are left out.
func wordsOf(name string) []string {
	const short = 3
	var words []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if word := strings.TrimSuffix(strings.ToLower(string(runes[start:end])), "s"); len(word) >= short {
			words = append(words, word)
		}
		start = end
	}
	for i := 1; i < len(runes); i++ {
		begins := unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			cut(i)
		}
	}
	cut(len(runes))
	return words
}
