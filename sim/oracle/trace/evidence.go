package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// Evidence is a trace with what several checks use.
type Evidence struct {
	*Trace
	Calls     *Calls
	Related   [][]fieldpath.Path // groups of paths that servers keep in step
	Comebacks []Comeback
	Unread    UnreadableValues
	// Dealt caches what releases did about a place.
	Dealt map[DealtValue]Dealings
	// ownerships caches what bodies say of who owns their fields.
	ownerships map[string]Ownership

	// acked caches the acknowledged values by place, nil until they are needed.
	acked map[Place][]HeldValue

	read     ReleaseMarks                  // the encodings and versions that a release was seen to read
	shapes   map[term.Role]map[string]bool // of the values that a release was seen to read
	zeros    zeros
	taken    map[way]bool                     // see takenWays
	counting map[string]bool                  // cache: kinds with an object that has a generation
	forms    map[string]map[formValue]holders // cache, by kind
}

// Calls indexes the run's calls, so that each can be compared with the same call before the
// upgrade.
type Calls struct {
	Steps []int // of the acts, in order
	// Treated are the manifests that use the change.
	Treated  map[string]bool
	FirstUse map[string]int // by copy: the first step that sent it a value of the change
	// References are, by signature, the calls of the first stage that succeeded on a copy which
	// does not use the change; Plain are such calls of any stage. Of each signature they have the
	// first on a control copy or, if none exists, the first.
	References, Plain map[string]int
	Alike             map[string][]int            // by signature: all calls of the first stage from which References has one
	RefusedFirst      map[string]bool             // by signature: calls that the old release refused as invalid in the first stage
	Invalid           map[string]int              // by signature: calls of the first stage that were refused as invalid
	Refusals          map[string]bool             // of deletes, as lines declare them
	Probes            map[int][]history.Operation // by step
	Comparisons       map[int]history.Operation   // by step: creates without the value that the step removes
	Tries             []history.Operation
	TriesOn           map[string][]history.Operation // the same tries, by copy
}

// Comeback is a value that a rollback hid from every replica, and that was served again.
type Comeback struct {
	Timeline *Timeline
	Value    *AckedValue
	Shown    Observation
	Hidden   StageView
}

// Dealings says, for a place of a kind, which releases took a value from a client, and which kept
// the value of an existing object in a write or a dry run.
type Dealings struct{ Taken, Kept map[term.Role]bool }

// DealtValue is one value at a place, or all of them.
type DealtValue struct {
	Place    Place
	Semantic string // "": any value
}

// HeldValue is an acknowledged value with its copy.
type HeldValue struct {
	Timeline *Timeline
	Value    *AckedValue
}

// StageView is what a stage showed of one value: the first answer that showed it, if any, and
// which replicas answered.
type StageView struct {
	Name  string
	Shown *Observation
	Hid   *Observation // the last answer that did not show it
	Heard map[string]bool
	Live  int // replicas that serve in the stage
}

// Everybody reports whether each replica answered: a replica that did not answer may not have
// hidden the value.
func (s StageView) Everybody() bool { return len(s.Heard) == s.Live }

// Turn is what a call did to one value.
type Turn struct {
	Path          fieldpath.Path
	Before, After schema.Leaf
	Had, Has      bool
	Meaning       string // after the call, normalized so that equal turns are equal
}

// Place is a path of a kind, in what a release answers.
type Place struct {
	APIVersion, Kind, Name string
	Role                   term.Role
}

// zeros caches how releases treat a zero, and an absent value, at a place.
type zeros struct {
	Kept  map[Place]bool // the release has shown a zero that it was sent; nil: not computed yet
	Alone map[Place]bool // the release fills in nothing
}
