package fleet

import (
	"errors"
	"fmt"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Program has the program of a release run beside the servers, in place of the one before, or
// none. It returns the outcome in words.
func (f *Fleet) Program(s plan.Step) (string, error) {
	beside, can := f.Runtime.(servers.ProgramRunner)
	if !can {
		return "", errors.New("these servers have no programs beside them")
	}
	if s.Role == "" {
		beside.StopProgram()
		f.event(s.Number, "", s.Role, history.ProgramAbsent, 0, "")
		return "none runs", nil
	}
	began, build := time.Now(), f.Lead.Builds[s.Role]
	if err := beside.RunProgram(f.ctx, build); err != nil {
		return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	f.event(s.Number, "", s.Role, history.ProgramRuns, time.Since(began), "")
	return fmt.Sprintf("that of %s, after %.1fs", build.Version, time.Since(began).Seconds()), nil
}
