package fuzz

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/client"
)

// takePanics are the panics of servers since the last time, with the object that was sent.
func (t *traveller) takePanics(object map[string]any) []fact {
	all := t.panicked
	for i := range all {
		all[i].object = object
	}
	t.panicked = nil
	return all
}

// told is the fact of a refused request; none where the server panicked: that fact is told.
func (t *traveller) told(a client.Answer, f fact) []fact {
	if a.Panic != nil {
		return nil
	}
	return []fact{f}
}

// where is the line that panicked: that tells panics apart.
func where(p *client.Panic) string {
	if p == nil {
		return ""
	}
	return " " + p.Function + " " + p.Line
}

// in says where a server panicked; "" where its log does not.
func in(p *client.Panic) string {
	if p.Function == "" {
		return ""
	}
	return fmt.Sprintf(", in %s (%s)", p.Function, p.Line)
}
