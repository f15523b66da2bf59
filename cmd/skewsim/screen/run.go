package screen

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/shell"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Run shows one run, or one chain: its stages and steps, then its summary. It also writes the
// reports. It implements engine.Events.
type Run struct {
	Out io.Writer
	Err io.Writer // for warnings
	// Quiet leaves out operations.
	Quiet bool
	// AllowImpacts makes impacts no failure in junit.xml.
	AllowImpacts bool

	mu sync.Mutex // of Out
}

// Stage prints the stage that begins, with the role of each replica.
func (s *Run) Stage(stage plan.Stage) {
	text := stage.Name + ":"
	for _, r := range stage.Replicas {
		text += fmt.Sprintf(" %s=%s", r.Replica, r.Role)
	}
	s.print(text)
}

// Step prints a step that has ended.
func (s *Run) Step(step plan.Step, outcome string) {
	if s.Quiet && step.Action == plan.Operate {
		return
	}
	s.print(fmt.Sprintf("%5d  %s: %s", step.Number, step, outcome))
}

// Note prints a note of the run.
func (s *Run) Note(text string) { s.print(text) }

func (s *Run) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(s.Out, text)
}

// Warn prints a line on the writer for warnings.
func (s *Run) Warn(text string) { fmt.Fprintln(s.Err, text) }

// Report writes the reports of a run, and prints its summary. It does not print the error
// that ended the run: the caller prints that last.
func (s *Run) Report(j rundir.Judged) (result.Result, error) {
	r, err := reports.WriteJudged(j, s.AllowImpacts)
	if j.IsLeg || err == nil && isEmpty(r.Result, j.Ended) {
		return r.Result, err
	}
	return r.Result, errors.Join(err, s.summarize(r, j))
}

func (s *Run) summarize(r reports.Run, j rundir.Judged) error {
	fmt.Fprintln(s.Out)
	err := unlessGone(reports.Text(s.Out, r, TextOptions(s.Out, ReportPath(j.Dir))))
	if r.Result.Verdict == term.Impacts {
		fmt.Fprintf(s.Out, "for lines that expect these impacts: skewsim expect %s\n", shell.Quote(j.Dir))
	}
	t := r.Result.Timing
	fmt.Fprintf(s.Out, "time: %.1f s in total; sums over concurrent work: starts %.1f s, stops %.1f s, operations %.1f s, reads %.1f s; judging and reports %.1f s\n",
		t.Total, t.Starts, t.Stops, t.Operations, t.Looks, time.Since(j.Began).Seconds())
	return err
}

// isEmpty reports whether a mistake of the user ended the run before it observed anything.
func isEmpty(res result.Result, ended error) bool {
	judged := func(c result.Check) bool { return c.Judged > 0 }
	return fault.Is(ended, fault.User) && len(res.Findings) == 0 && !slices.ContainsFunc(res.Checks, judged)
}

// unlessGone returns the error of a write, and nil where the reader has closed its end, as
// head does.
func unlessGone(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// ReportPath returns the path of report.html in a run directory.
func ReportPath(dir string) string { return filepath.Join(dir, "report.html") }

// Leg prints how long a leg took, and the error that ended it early.
func (s *Run) Leg(name string, took time.Duration, ended error) {
	fmt.Fprintf(s.Out, "leg %s: %.1f s\n", name, took.Seconds())
	if ended != nil {
		fmt.Fprintf(s.Err, "leg %s: %s\n", name, fault.Text(ended, campaign.Flag))
	}
}

// ReportChain writes the files of a chain.
func (s *Run) ReportChain(dir string, v chain.Verdict) error {
	return reports.WriteChain(dir, v, s.AllowImpacts)
}

// ChainEnded prints the verdict of a chain.
func (s *Run) ChainEnded(dir string, v chain.Verdict) error { return Chain(s.Out, dir, v) }

// Chain prints the verdict of a chain that is in a directory.
func Chain(w io.Writer, dir string, v chain.Verdict) error {
	return unlessGone(reports.ChainText(w, v, TextOptions(w, dir)))
}
