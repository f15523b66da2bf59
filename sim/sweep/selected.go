package sweep

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/result"
)

// notSelectable begins what servers say of a field that lists of a kind cannot be selected by.
const notSelectable = "field label not supported"

// lists are the cells of LISTs by a field. They are of no copy: what they show is what matches.
func (p played) lists() (cells []Cell) {
	for _, w := range p.evidence.Lists[p.object.Target.ID] {
		c := Cell{Write: fmt.Sprintf("LIST by %s %s", p.object.Target.Selector, throughWords(w.ViaRole, w.program)), Stage: w.stage, Step: w.Number, Effect: term.Kept.Effect()}
		for _, f := range p.evidence.Findings {
			if f.Step == w.Number && f.Order == 0 {
				c.Effect, c.Class, c.Rule, c.Cause, c.Message = ruling.EffectOf(f), f.Class, f.Rule, f.Cause, f.Message
				if f.Outcome == term.Refused && c.Cause == term.Unattributed && strings.Contains(f.Message, notSelectable) {
					c.Cause = term.NotSelectable
				}
			}
		}
		cells = append(cells, c)
	}
	return cells
}

// ofScale is the cell of a scale where the releases' scales write different fields, and of a read after it, if
// the field that one release scales stays as it was: the scale wrote another one.
func (p played) ofScale(f result.Finding, c Cell) Cell {
	if p.object.Target.Scaled == "" {
		return c
	}
	isRead := !f.Verb.Writes() && f.Outcome == term.Dropped
	if c.Cause == term.Unattributed && (isRead || f.Verb.Subresource() == term.ScalePart) {
		c.Cause = term.OtherSubresource
	}
	if !isRead {
		return c
	}
	c.Write, c.Effect, c.Path = "scale "+throughWords(f.Via, f.Program), term.MeansOther.Effect(), p.object.Target.Scaled
	c.Message = fmt.Sprintf("/scale of %s does not write %s, as that of %s does: %s", releaseWords(f.Via), p.object.Target.Scaled, releaseWords(p.object.Target.Release), f.Message)
	return c
}
