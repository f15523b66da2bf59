package plan

// Leg is a plan's part of a chain: a chain plays one hop after the other on one store, each
// with a plan, a run and a history of its own.
type Leg struct {
	Number int `json:"number"` // from 1
	// Left is how many objects of earlier legs remain in the store without being taken over.
	Left int `json:"left,omitempty"`
	// Rewrites reports that the leg ends by writing all stored objects again.
	Rewrites bool `json:"rewrites,omitempty"`
}

// Adoption reports whether the step takes over a copy of an earlier leg: a read through the
// leg's first release. Acknowledged values that the read shows must be there from then on.
func (s Step) Adoption() bool { return s.Birth && !s.Verb.Writes() }

// CreatesCopy reports whether the step is planned to create its copy.
func (s Step) CreatesCopy() bool { return s.Birth || s.Verb.OnlyCreates() }
