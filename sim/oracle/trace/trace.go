package trace

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
)

// Trace is the history, grouped by copy.
type Trace struct {
	Published
	History   *history.History
	Policy    redact.Policy // what results must not show
	Steps     map[int]StagedStep
	Acts      map[int]history.Operation // by step: the operation itself
	Reads     map[int]history.Operation // by step: the GET of a GET-PUT
	Timelines []*Timeline               // in the order of the plan
	ByCopy    map[string]*Timeline
	Changes   map[int64]history.Change // of the store, by revision
	Epochs    []schemaEpoch
	cache     leafCache
	// alikeForms says, by kind and stored API version, whether the stored version has the form of
	// the copy's own.
	alikeForms map[string]bool
	// Emulator is the release whose servers emulate the version of the other, "" if neither does.
	Emulator term.Role
}
