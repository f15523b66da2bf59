package validate

import "github.com/skewsim/skewsim/scenarios/term"

// PatchTypes are the verbs that can carry patch's body.
func PatchTypes() []string {
	return SelectVerbs(term.Verb.SendsBody)
}

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
