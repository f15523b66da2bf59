package plan

import (
	"fmt"
	"slices"
	"strings"
)

// IsElsewhere tells whether the line at a place of Expect, from 1, is for other pairs.
func (p *Plan) IsElsewhere(place int) bool {
	return slices.ContainsFunc(p.Elsewhere, func(e Elsewhere) bool { return e.Place == place })
}

// Undecided tells of a line of expect of which nobody knows whether it is for the pair,
// when its builds have been made: one of them does not say its version.
func (p *Plan) Undecided() error {
	for _, e := range p.Elsewhere {
		if e.Open {
			return fmt.Errorf("%s:%d: expect[%d].when: nothing tells the version of one of the releases %s and %s: play builds that say it, or leave when out",
				p.File, e.Line, e.Place-1, p.Releases[0].Reference, p.Releases[1].Reference)
		}
	}
	return nil
}

// expectations tells which lines of expect are not for the pair, and which are so for a
// time alone.
func (p *printer) expectations(of *Plan) {
	for _, e := range of.Elsewhere {
		word := "not expected here"
		if e.Open {
			word = "perhaps not expected here"
		}
		p.line("%s: line %d: %s", word, e.Line, e.Reason)
	}
	for i, e := range of.Expect {
		if e.Until != "" && !of.IsElsewhere(i+1) {
			why := strings.Join(strings.Fields(e.Why), " ")
			if why != "" {
				why = ": " + why
			}
			p.line("expected until %s (UTC): line %d, owned by %s%s", e.Until, e.Line, strings.Join(strings.Fields(e.Owner), " "), why)
		}
	}
}
