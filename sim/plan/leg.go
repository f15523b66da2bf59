package plan

import "github.com/skewsim/skewsim/scenarios/term"

// Leg says which part of a chain a plan is: a chain plays one hop after the
// other on one store, each with a plan, a run and a history of its own.
type Leg struct {
	Number int `json:"number"` // from 1
	// Left is how many objects of earlier legs lie in the store that this one
	// leaves alone.
	Left int `json:"left,omitempty"`
	// Rewrites tells that all that is stored is written again at the end.
	Rewrites bool `json:"rewrites,omitempty"`
}

// Adoption tells whether the step takes over a copy of an earlier leg: a read,
// through what the leg's first release serves. Of what clients hold acknowledged
// it shows the values that must be there from then on.
func (s Step) Adoption() bool { return s.Birth && s.Verb == term.Get }
