package fuzz

import (
	"github.com/skewsim/skewsim/scenarios/term"
)

// example is the example of a kind at a place, of its own release or of the other, and of
// its own version or of another of the group; nil: there is none.
func (f *fuzzer) example(at place) map[string]any {
	for _, role := range []term.Role{at.role, term.New, term.Old} {
		if object := f.config.Examples[role].Of(at.apiVersion(), at.resource.Plural); object != nil {
			return object
		}
	}
	return nil
}
