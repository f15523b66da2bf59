package trace

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// Observation is one answer that showed, or should have shown, the copy, in its place among the
// steps. It is two words: a long history has a hundred of each copy.
type Observation struct {
	*observed
	Step int
}

// observed is what one answer says of a copy. Sights share it, and so nobody changes it.
type observed struct {
	Revision int64
	Answer   string // blob
	Replica  string // "" for a trial: nobody was served
	Role     term.Role
	Purpose  history.Purpose // "" for a LIST
	wrote    bool            // it answers a write
	object   bool            // its body is the object
	cached   bool            // it is of a LIST from a cache, which may be late
	part     bool            // it answers for the object, and shows another: its scale, or another apiVersion's form
	Types    term.Client     // whose types made of protobuf what is recorded; "": the body is recorded as it came
	Code     int
	Message  string
}

// NoObservation is that of no answer.
func NoObservation() Observation { return Observation{observed: &observed{}} }

// RecentObservations is how many observations back an equal answer is looked for: a stage's edge lists every
// copy in each form through each replica, and the edge before it mostly showed the same.
const RecentObservations = 24

// CompareObservations puts observations in the order in which a step gives them: what it read,
// what it did, then what each replica showed.
func CompareObservations(a, b Observation) int {
	return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(PurposeRank(a.Purpose), PurposeRank(b.Purpose)), cmp.Compare(a.Replica, b.Replica))
}

// PurposeRank is the place of a purpose among those of a step.
func PurposeRank(p history.Purpose) int {
	return slices.Index([]history.Purpose{history.Read, history.Act, history.Look}, p)
}

// IsListItem reports whether the observation is an item of a LIST.
func (obs Observation) IsListItem() bool { return obs.Purpose == "" }

// ShowsObject reports whether the observation shows the object. A success with anything else in
// it shows nothing: least of all that values are gone.
func (obs Observation) ShowsObject() bool { return obs.Code >= 200 && obs.Code < 300 && obs.object }

// HasRevision reports whether the observation's revision is one of the object's.
func (obs Observation) HasRevision() bool {
	return obs.ShowsObject() || obs.part && obs.Code >= 200 && obs.Code < 300 && obs.Revision > 0
}
