package page

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// programLane draws which release's program runs beside the servers, where the plan has such
// programs: a bar for each time that one runs, and a note where none does.
func (c *course) programLane(y int) (l lane, has bool) {
	l = lane{Replica: "program", Y: y, Spans: make([]span, len(c.columns))}
	var at *plan.Step
	for i, stage := range c.run.Plan.Stages {
		for j := range stage.Steps {
			s := &stage.Steps[j]
			if s.Action != plan.Program {
				continue
			}
			moved := at == nil || at.Role != s.Role
			at, l.Spans[i].Moved = s, moved && s.Role != ""
			if moved {
				l.Bars, l.Notes = c.changeProgram(l.Bars, l.Notes, s.Role, c.columns[i].X, y+4, s.Number)
			}
		}
		if at != nil {
			l.Spans[i].Role, l.Spans[i].Version = at.Role, c.versions[at.Role]
		}
		if at != nil && at.Role == "" {
			l.Spans[i].Note = "none runs"
		}
	}
	c.fit(l.Notes)
	return l, at != nil
}

// changeProgram ends the last bar at x, and begins one of the role there, or a note for no program.
func (c *course) changeProgram(bars []bar, notes []note, role term.Role, x, y, step int) ([]bar, []note) {
	if n := len(bars); n > 0 {
		bars[n-1].Width = min(bars[n-1].Width, x-bars[n-1].X-2)
	}
	if role == "" {
		return bars, append(notes, note{X: x + 7, At: x, Y: y + 17, Text: "none runs", Full: fmt.Sprintf("step %d: the program is stopped, and none runs", step)})
	}
	if role != term.New {
		y += stair
	}
	label := string(role) + "  " + term.Visible(c.versions[role])
	return append(bars, bar{X: x + 1, Y: y, Width: c.right() - x - 2, Role: role, Label: cut(label, plainType, c.columns[0].Width-36), Gone: x >= c.reached()}), notes
}
