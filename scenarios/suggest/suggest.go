package suggest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxWord bounds the length of the words that are compared.
const maxWord = 64

// Hint returns what to add to an error such as unknown key "x": the nearest known word, or all
// of them if none is near.
func Hint(word string, known []string, plural string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return fmt.Sprintf(" (%s: %s)", plural, strings.Join(known, ", "))
}

// Nearest returns the known word that the given one probably means, or "" if none is near or
// several are.
func Nearest(word string, known []string) string {
	if len(word) > maxWord {
		return ""
	}
	var best []string
	least := allowance(word)
	for _, k := range known {
		d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k))
		if d < least {
			best, least = nil, d
		}
		if d == least {
			best = append(best, k)
		}
	}
	if len(best) == 0 {
		best = partOf(word, known)
	}
	if len(best) != 1 {
		return ""
	}
	return best[0]
}

// NearestFew returns up to n known names, the nearest first by their last part. It returns none
// for a word that is too long to be a name.
func NearestFew(word string, known []string, n int) []string {
	if len(word) > maxWord {
		return nil
	}
	distance := func(name string) int {
		return levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(path.Base(name)))
	}
	sorted := slices.SortedStableFunc(slices.Values(known), func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	return sorted[:min(n, len(sorted))]
}

// Completions returns the known names whose last part begins with the word, if the word has
// three letters or more.
func Completions(word string, known []string) (all []string) {
	for _, k := range known {
		if len(word) >= 3 && strings.HasPrefix(path.Base(k), word) {
			all = append(all, k)
		}
	}
	return all
}

// partOf returns the known words that begin or end with the given one, as
// merge-patch does with merge.
func partOf(word string, known []string) []string {
	var whole []string
	for _, k := range known {
		if word != "" && (strings.HasPrefix(k, word+"-") || strings.HasSuffix(k, "-"+word)) {
			whole = append(whole, k)
		}
	}
	return whole
}

// allowance is how many letters may be wrong before a word counts as another: a third, which
// permits two swapped letters in a word of four.
func allowance(word string) int {
	switch n := len(word); {
	case n < 3:
		return 0
	case n == 3:
		return 1
	case n < 9:
		return 2
	default:
		return n / 3
	}
}
