package plan

import (
	"fmt"
	"slices"
	"strings"
)

// IsElsewhere reports whether the line at a place of Expect, from 1, is for other pairs.
func (p *Plan) IsElsewhere(place int) bool {
	return slices.ContainsFunc(p.Elsewhere, func(e Elsewhere) bool { return e.Place == place })
}

// Undecided returns an error if it is still not known, after the builds are made, whether a
// line of expect applies to the pair: a build does not report its version.
func (p *Plan) Undecided() error {
	for _, e := range p.Elsewhere {
		if e.Open {
			return fmt.Errorf("%s:%d: expect[%d].when: the version of one of the releases %s and %s is unknown: play builds that report it, or leave when out",
				p.File, e.Line, e.Place-1, p.Releases[0].Reference, p.Releases[1].Reference)
		}
	}
	return nil
}

// expectations prints which lines of expect do not apply to the pair, and which expire.
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
