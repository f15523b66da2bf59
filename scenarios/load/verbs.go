package load

import "github.com/skewsim/skewsim/scenarios/term"

// SelectVerbs returns the words of the verbs that fit.
func SelectVerbs(fits func(term.Verb) bool) []string {
	var words []string
	for _, e := range term.Verbs() {
		if fits(e.Word) {
			words = append(words, string(e.Word))
		}
	}
	return words
}
