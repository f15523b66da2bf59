package reports

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// wrongOnPurpose says which releases the run's twin was played in the place of, as the
// subject of a sentence. Their references end in the twin's name.
func wrongOnPurpose(res result.Result) string {
	wrong := map[term.Role]bool{}
	for _, b := range res.Builds {
		wrong[b.Role] = res.Twin != nil && strings.HasSuffix(b.Reference, "+"+res.Twin.Name)
	}
	switch {
	case wrong[term.Old] && wrong[term.New]:
		return "both releases are wrong on purpose"
	case wrong[term.Old]:
		return "the old release is wrong on purpose"
	case wrong[term.New]:
		return "the new release is wrong on purpose"
	}
	return "a release is wrong on purpose"
}

// capital begins a sentence with a capital letter.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
