package roundtrip

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/client"
)

// TakePanics are the panics of servers since the last time, with the object that was sent.
func (t *Traveller) TakePanics(object map[string]any) []Fact {
	all := t.panicked
	for i := range all {
		all[i].Object = object
	}
	t.panicked = nil
	return all
}

// told is the fact of a refused request; none where the server panicked: that fact is told.
func told(a client.Answer, f Fact) []Fact {
	if a.Panic != nil {
		return nil
	}
	return []Fact{f}
}

// panicLine is the line that panicked: that tells panics apart.
func panicLine(p *client.Panic) string {
	if p == nil {
		return ""
	}
	return " " + p.Function + " " + p.Line
}

// PanicPlace says where a server panicked; "" where its log does not.
func PanicPlace(p *client.Panic) string {
	if p.Function == "" {
		return ""
	}
	return fmt.Sprintf(", in %s (%s)", p.Function, p.Line)
}
