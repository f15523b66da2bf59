package fuzz

import (
	"github.com/skewsim/skewsim/scenarios/term"
)

// example returns the example of a kind at a place, of its own release or of the other, and
// of its own version or of another of the group; nil without one.
func (f *fuzzer) example(at Place) map[string]any {
	for _, role := range []term.Role{at.Role, term.New, term.Old} {
		if object := f.config.Examples[role].Of(at.APIVersion(), at.Resource.Plural); object != nil {
			return object
		}
	}
	return nil
}
