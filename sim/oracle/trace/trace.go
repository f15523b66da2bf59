package trace

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
)

// Trace is the history, put in order copy by copy.
type Trace struct {
	Published
	History   *history.History
	Policy    redact.Policy // what of it no result shows
	Steps     map[int]StagedStep
	Acts      map[int]history.Operation // by step: the operation itself
	Reads     map[int]history.Operation // by step: the GET of a GET-PUT
	Timelines []*Timeline               // in the order of the plan
	ByCopy    map[string]*Timeline
	Changes   map[int64]history.Change // of the store, by revision
	Epochs    []schemaEpoch
	Cache     leafCache
	// alikeForms: of a kind and an API version that it is stored in, whether both have one form.
	alikeForms map[string]bool
	// Emulator is the end whose servers emulate the version of the other; "": none does.
	Emulator term.Role
}
