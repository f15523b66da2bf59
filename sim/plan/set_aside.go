package plan

import (
	"fmt"
)

// setAside finds the lines of expect that are for other pairs of releases.
func setAside(p *Plan, pair Pair) error {
	for i, e := range p.Expect {
		reason, open, err := e.Elsewhere(pair.version)
		if err != nil {
			return fmt.Errorf("%s:%d: expect[%d]: %w", p.File, e.Line, i, err)
		}
		if reason != "" {
			p.Elsewhere = append(p.Elsewhere, Elsewhere{Place: i + 1, Line: e.Line, Reason: reason, Open: open})
		}
	}
	return nil
}
