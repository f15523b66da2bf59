package act

import (
	"fmt"
	"sync"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/plan"
)

// births records which manifests some server has accepted. An accepted manifest is valid: a
// later refusal is evidence.
type births struct {
	mu      sync.Mutex
	taken   map[string]bool          // by manifest
	refused map[string]*RefusedError // by manifest: the first, in the order of the plan
}

func newBirths() *births {
	return &births{taken: map[string]bool{}, refused: map[string]*RefusedError{}}
}

func (b *births) take(manifest string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken[manifest] = true
}

func (b *births) refuse(e *RefusedError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if first := b.refused[e.Manifest]; first == nil || e.Step.Number < first.Step.Number {
		b.refused[e.Manifest] = e
	}
}

// verdict returns the first refusal of a manifest that no server has accepted. It is called
// after all creates of a stage were answered, since their order is random.
func (b *births) verdict() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var first *RefusedError
	for manifest, e := range b.refused {
		if !b.taken[manifest] && (first == nil || e.Step.Number < first.Step.Number) {
			first = e
		}
	}
	clear(b.refused)
	if first == nil {
		return nil
	}
	return first
}

// RefusedError reports that a server refused to create an object although the scenario does
// not declare that.
type RefusedError struct {
	File     string // the scenario's
	Step     plan.Step
	Version  string // of the server
	Manifest string // the object's file
	Code     int
	Message  string
}

// Error names the line, the step, the server's words and what to do.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s:%d: step %d (%s): %s refused %s with %d: %s; fix the object file, or, if that answer is expected, declare it on the line: respond: {code: %d}",
		e.File, e.Step.Line, e.Step.Number, e.Step, e.Version, e.Manifest, e.Code, e.Message, e.Code)
}

// Fault returns that the error is the user's.
func (e *RefusedError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }
