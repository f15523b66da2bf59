package trace

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// Observation is one answer that showed, or should have shown, the copy, in its place among the
// steps. It is two words long, since a long history has a hundred observations of each copy.
type Observation struct {
	*observed
	Step int
}

// observed is what one answer shows of a copy. Observations share it, so it is never modified.
type observed struct {
	Revision int64
	Answer   string // blob
	Replica  string // "" for a trial, which serves no client
	Role     term.Role
	Purpose  history.Purpose // "" for a LIST
	wrote    bool            // answers a write
	object   bool            // the body is the object
	cached   bool            // item of a LIST from a cache, which may be stale
	part     bool            // answers for the object and shows another form: its scale, or another apiVersion
	Types    term.Client     // whose types decoded the recorded protobuf; "": the body is recorded as it was sent
	Code     int
	Message  string
}

// NoObservation returns the observation of a missing answer.
func NoObservation() Observation { return Observation{observed: &observed{}} }

// RecentObservations is how many observations back an equal answer is searched for: the edge of a
// stage lists every copy in each form through each replica, mostly with the answers of the edge
// before it.
const RecentObservations = 24

// CompareObservations orders the observations of a step: what it read, what it wrote, then what
// each replica showed.
func CompareObservations(a, b Observation) int {
	return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(PurposeRank(a.Purpose), PurposeRank(b.Purpose)), cmp.Compare(a.Replica, b.Replica))
}

// PurposeRank returns the place of a purpose among those of a step.
func PurposeRank(p history.Purpose) int {
	return slices.Index([]history.Purpose{history.Read, history.Act, history.Look}, p)
}

// IsListItem reports whether the observation is an item of a LIST.
func (obs Observation) IsListItem() bool { return obs.Purpose == "" }

// ShowsObject reports whether the observation shows the object. A success with another body shows
// nothing, and in particular not that values are gone.
func (obs Observation) ShowsObject() bool { return obs.Code >= 200 && obs.Code < 300 && obs.object }

// HasRevision reports whether the observation's revision is one of the object's.
func (obs Observation) HasRevision() bool {
	return obs.ShowsObject() || obs.part && obs.Code >= 200 && obs.Code < 300 && obs.Revision > 0
}
