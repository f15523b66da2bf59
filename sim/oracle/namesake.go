package oracle

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/term"
)

// namesake is a gate that is off in a release, that the other release does not have,
// and that is called like the field at a path, or like what holds it: a word is in both
// names. A word that many of the release's gates have says nothing, and a gate that the
// kind publishes of other fields is theirs. "": there is none.
func (e *evidence) namesake(l *life, role term.Role, p fieldpath.Path) string {
	gates, others := e.history.Releases[role].Gates, e.history.Releases[role.Other()].Gates
	kind, _ := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	taken, words := kind.Needs(), wordsOfPath(p)
	have := map[string]int{}
	for gate := range gates {
		for word := range words {
			if slices.Contains(wordsOf(gate), word) {
				have[word]++
			}
		}
	}
	const many = 4
	for _, gate := range slices.Sorted(maps.Keys(gates)) {
		if _, known := others[gate]; gates[gate] || known || slices.Contains(taken, gate) {
			continue
		}
		if slices.ContainsFunc(wordsOf(gate), func(word string) bool { return have[word] > 0 && have[word] < many }) {
			return gate
		}
	}
	return ""
}

// wordsOfPath are the words of the last two fields of a path.
func wordsOfPath(p fieldpath.Path) map[string]bool {
	words := map[string]bool{}
	for i, fields := len(p)-1, 0; i > 0 && fields < 2; i-- {
		if p[i].FieldName == nil {
			continue
		}
		fields++
		for _, word := range wordsOf(*p[i].FieldName) {
			words[word] = true
		}
	}
	return words
}

// wordsOf are the words of a name in camel case, in lower case and without the s of
// plurals: of GRPCProbes grpc and probe. Short ones such as to are no words.
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
