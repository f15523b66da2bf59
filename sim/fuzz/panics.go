package fuzz

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/client"
)

// TakePanics returns the panics of servers since the last call, with the object that was
// sent.
func (t *Traveller) TakePanics(object map[string]any) []Fact {
	all := t.panicked
	for i := range all {
		all[i].Object = object
	}
	t.panicked = nil
	return all
}

// told returns the fact of a refused request; none if the server panicked, since the panic
// is a fact already.
func told(a client.Answer, f Fact) []Fact {
	if a.Panic != nil {
		return nil
	}
	return []Fact{f}
}

// panicLine returns the line that panicked, which distinguishes panics.
func panicLine(p *client.Panic) string {
	if p == nil {
		return ""
	}
	return " " + p.Function + " " + p.Line
}

// PanicPlace returns where a server panicked; "" if its log does not say.
func PanicPlace(p *client.Panic) string {
	if p.Function == "" {
		return ""
	}
	return fmt.Sprintf(", in %s (%s)", p.Function, p.Line)
}
