package session

import (
	"github.com/skewsim/skewsim/sim/sweep"
)

// conclude turns what was played so far into the result, and has its files written. What cannot
// be written now fails the sweep, not the rows.
func (s *session) conclude() error {
	s.result.Rows = sweep.Rows(s.rows, s.laps)
	s.result.Laps = nil
	s.result = sweep.Summarize(s.result, s.laps)
	return s.host.Report(s.dir.Path, s.result)
}
