package oracle

import (
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/checks/agreement"
	"github.com/skewsim/skewsim/sim/oracle/checks/losses"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// derive finds out what several checks use, and judges the checks that come before all others.
func derive(tr *trace.Trace) precedence {
	c := tr.Calls
	c.Read = blame.FormsRead(tr)
	c.Unread = blame.IllegibleValues(tr)
	c.Back = evidence.Comebacks(tr)
	first := precedence{losses: losses.NothingLost(tr), conversions: losses.Rule4(tr)}
	evidence.Remember(c, first.losses.Findings, first.conversions.Findings)
	c.Disagreements, c.Compared = agreement.Readings(tr)
	c.DisagreeAt = map[string]int{}
	for _, a := range c.Disagreements {
		c.DisagreeAt[a.L.Copy.Name+" "+a.Name] = a.New.Step
	}
	return first
}
