package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// Calls is the run's calls put in order, so that each can be held against the
// same call as it went before anything changed.
type Calls struct {
	Steps []int                // of the acts, in order
	Lives map[string]*Timeline // by copy
	// Treated are the manifests that use the change.
	Treated map[string]bool
	Begun   map[string]int // by copy: the first step that sent it a value of the change
	// Before are, by signature, the calls of the first stage that succeeded on a
	// copy which does not use the change, plain those of any stage: of each the
	// first on a control copy or, where there is none, the first.
	Before, Plain map[string]int
	Alike         map[string][]int            // by signature: all calls of the first stage that before is one of
	Invalid       map[string]int              // by signature: calls of the first stage that were refused as invalid
	Refusals      map[string]bool             // of deletes, that lines declare
	Probes        map[int][]history.Operation // by step
	Bare          map[int]history.Operation   // by step: creates without what the step was to remove
	Tries         []history.Operation
	Told          map[string][]fieldpath.Path // by copy: values that another check told of
	// Shapes are, by release, those of the values that it was seen to read.
	Shapes map[term.Role]map[string]bool
	derived
}

// Comeback is a value that a rollback hid from every replica, and that was
// served again.
type Comeback struct {
	L      *Timeline
	N      *AckedValue
	Shown  Observation
	Hidden StageView
}

// Dealings are what releases were seen to do about a place of a kind: they took a
// value from a client, or kept the one that an object had, when they wrote it or were
// tried.
type Dealings struct{ Taken, Kept map[term.Role]bool }

// Nobody has to write an object for a release to give it another meaning: a
// default of a new field, or what is computed from it, shows as soon as the new
// release reads what the old one had stored. A GET and a LIST are calls as any
// other, so what one stored version is served as is held against itself.

// Disagreement is a value that the new release serves otherwise than the old one, of
// one stored version.
type Disagreement struct {
	L        *Timeline
	Name     string
	Old, New *Observation
	Was, Is  Turn // of the old release and of the new one; only after and has are set
}

// StageView is what a stage showed of one value: the first answer that showed
// it, if any did, and which replicas were heard.
type StageView struct {
	Name  string
	Shown *Observation
	Hid   *Observation // the last answer that did not show it
	Heard map[string]bool
}

// Everybody tells whether each replica was heard: one that did not answer may
// not have hidden the value.
func (s StageView) Everybody(replicas int) bool { return len(s.Heard) == replicas }

// Turn is what a call did to one value.
type Turn struct {
	Path          fieldpath.Path
	Before, After schema.Leaf
	Had, Has      bool
	Meaning       string // after, in the form in which equal turns are equal
}

// Spot is a path of a kind, in what a release answers.
type Spot struct {
	APIVersion, Kind, Name string
	Role                   term.Role
}

// zeros are what is known of how releases treat a zero, and nothing, at a spot.
type zeros struct {
	Kept  map[Spot]bool // they have shown a zero that they were sent; nil: not asked yet
	Alone map[Spot]bool // they leave nothing alone
}
