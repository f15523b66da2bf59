package skewtest

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// maxErrors bounds the errors of one run: the report has the rest.
const maxErrors = 100

// judged is a run that the oracle judged.
type judged struct {
	result  result.Result
	skipped []plan.Skip
	known   bool
}

// events logs the stages of a run in its test, and writes its reports.
type events struct {
	member     *member
	transcript io.Writer
}

// Stage implements engine.Events.
func (e *events) Stage(s plan.Stage) { e.log(fmt.Sprintf("stage %s", s.Name)) }

// Step implements engine.Events.
func (e *events) Step(s plan.Step, outcome string) {
	fmt.Fprintf(e.transcript, "%s: %s\n", s, outcome)
}

// Note implements engine.Events.
func (e *events) Note(text string) { e.log(text) }

// Warn implements engine.Events.
func (e *events) Warn(text string) { e.log(text) }

func (e *events) log(text string) {
	fmt.Fprintln(e.transcript, text)
	fmt.Fprintln(e.member.t.Output(), text)
}

// Report implements engine.Events.
func (e *events) Report(j rundir.Judged) (result.Result, error) {
	r, err := reports.WriteJudged(j, false)
	*e.member.judged = judged{result: r.Result, skipped: j.Judgement.History.Header.Plan.Skipped, known: true}
	return r.Result, err
}

// Leg implements engine.Events.
func (e *events) Leg(name string, took time.Duration, _ error) {
	e.log(fmt.Sprintf("leg %s: %.1f s", name, took.Seconds()))
}

// ReportChain implements engine.Events. An environment runs no chain.
func (e *events) ReportChain(string, chain.Verdict) error { return nil }

// ChainEnded implements engine.Events.
func (e *events) ChainEnded(string, chain.Verdict) error { return nil }

// report reports the run in its test: an error for each unexpected finding and for each
// expectation that is not met, and why the run could not be judged.
func (m *member) report() {
	t := m.t
	t.Helper()
	if err := m.keep(m.ended.Dir); err != nil {
		t.Errorf("run directory: %v", err)
	}
	m.logSkipped()
	if m.judged.known {
		m.reportFindings()
	}
	switch {
	case errors.As(m.ended.Err, new(engine.TimeoutError)): // which names a flag of skewsim
		t.Errorf("the run ended early: %s", strings.ReplaceAll(m.ended.Err.Error(), "--timeout", "skewtest.Timeout or go test -timeout"))
	case m.ended.Err != nil:
		t.Errorf("the run ended early: %v", m.source.at.explain(m.ended.Err, m.run.Scenario))
	case m.ended.Verdict == term.Unknown || m.ended.Verdict == "":
		t.Errorf("indeterminate: %s", m.judged.result.Reason)
	}
	if m.ended.Verdict != term.Pass && !t.Failed() {
		t.Errorf("verdict %s: %s", m.ended.Verdict, m.judged.result.Reason)
	}
	if t.Failed() && m.ended.Dir != "" {
		t.Logf("report: %s", filepath.Join(m.ended.Dir, "report.html"))
	}
}

func (m *member) reportFindings() {
	t := m.t
	t.Helper()
	left := 0
	for _, f := range m.judged.result.Findings {
		switch {
		case f.Expected:
		case left >= maxErrors:
			left++
		default:
			left++
			t.Errorf("%s: %s: %s %s: %s", f.Class, f.Check, f.Copy, f.Path, f.Message)
		}
	}
	if left > maxErrors {
		t.Errorf("%d more findings: see the report", left-maxErrors)
	}
	for _, missing := range m.judged.result.Missing {
		t.Errorf("%s: expectation %d: %s", m.source.at.expectation(m.run.Scenario, missing.Place), missing.Place, missing.Message)
	}
	for _, expired := range m.judged.result.Expired {
		t.Errorf("%s: expectation %d: %s", m.source.at.expectation(m.run.Scenario, expired.Place), expired.Place, expired.Message)
	}
}

// logSkipped logs the combinations of the scenario that are not run, and why.
func (m *member) logSkipped() {
	m.t.Helper()
	skipped := m.judged.skipped
	if !m.judged.known && m.run.Plan != nil {
		skipped = m.run.Plan.Skipped
	}
	if len(skipped) == 0 {
		return
	}
	text := fmt.Sprintf("combinations that are not run: %d", len(skipped))
	for _, s := range skipped {
		stage := ""
		if s.Stage != "" {
			stage = ", stage " + s.Stage
		}
		text += fmt.Sprintf("\n\t%s: %s%s: %s", m.place(s.Line), s.Cell, stage, s.Reason)
	}
	m.t.Log(text)
}

// place returns the line of Go that a line of the scenario's file comes from, or that line.
func (m *member) place(line int) string {
	if at := m.source.at.ofLine(m.run.Scenario, line); at.known() {
		return at.String()
	}
	return fmt.Sprintf("%s:%d", filepath.Base(m.run.Scenario.File), line)
}
