package skewtest

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
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
	begun   bool // servers served the first stage
}

// events logs the stages of a run in its test, and writes its reports.
type events struct {
	member     *member
	transcript io.Writer
}

// Stage implements engine.Events.
func (e *events) Stage(s plan.Stage) {
	e.member.judged.begun = true
	e.log(fmt.Sprintf("stage %s", s.Name))
}

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
	*e.member.judged = judged{result: r.Result, skipped: j.Judgement.History.Header.Plan.Skipped, known: true, begun: true}
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
	m.reportEnd()
	if m.ended.Verdict != term.Pass && !t.Failed() {
		t.Errorf("verdict %s: %s", m.ended.Verdict, m.judged.result.Reason)
	}
	if t.Failed() && m.ended.Dir != "" {
		t.Logf("report: %s", filepath.Join(m.ended.Dir, "report.html"))
	}
}

// reportEnd reports why a run ended early, or could not be judged.
func (m *member) reportEnd() {
	t := m.t
	t.Helper()
	what := "the run ended early"
	if !m.judged.begun {
		what = "the run did not begin"
	}
	err := m.ended.Err
	switch {
	case err != nil && isInterrupted():
		t.Errorf("interrupted: %s", what)
	case errors.As(err, new(engine.TimeoutError)):
		t.Errorf("%s: %s", what, fault.Text(err, func(string) string { return "skewtest.Timeout or go test -timeout" }))
	case err != nil && m.ended.Fault().Kind == fault.User:
		t.Errorf("%v", m.source.at.explain(err, m.run.Scenario))
	case err != nil:
		t.Errorf("%s: %v", what, m.source.at.explain(err, m.run.Scenario))
	case m.ended.Verdict == term.Unknown || m.ended.Verdict == "":
		t.Errorf("indeterminate: %s", m.judged.result.Reason)
	}
}

// reportFindings reports the first of each group of similar unexpected findings in full, with
// the number of the others, and each expectation that is not met.
func (m *member) reportFindings() {
	t := m.t
	t.Helper()
	groups := similar(m.judged.result.Findings)
	for _, g := range groups[:min(len(groups), maxErrors)] {
		t.Errorf("%s", g)
	}
	if more := len(groups) - maxErrors; more > 0 {
		t.Errorf("%d more kinds of findings: see the report", more)
	}
	for _, missing := range m.judged.result.Missing {
		t.Errorf("%s: expectation %d: %s", m.source.at.expectation(m.run.Scenario, missing.Place), missing.Place, missing.Message)
	}
	for _, expired := range m.judged.result.Expired {
		t.Errorf("%s: expectation %d: %s", m.source.at.expectation(m.run.Scenario, expired.Place), expired.Place, expired.Message)
	}
}

// findings are similar ones, at least one.
type findings []result.Finding

// similar groups the findings that are not expected, as the summary of skewsim run does.
func similar(all []result.Finding) (groups []findings) {
	at := map[view.GroupKey]int{}
	for _, f := range view.WorstFirst(view.Unexpected(all)) {
		i, known := at[view.KeyOf(f)]
		if !known {
			i = len(groups)
			at[view.KeyOf(f)], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// String returns the message of the first finding, which names the object and the path, and
// the number of the others.
func (g findings) String() string {
	first := g[0]
	text := fmt.Sprintf("%s: %s: %s", first.Class, first.Check, first.Message)
	if more := len(g) - 1; more > 0 {
		text += fmt.Sprintf("; and %d more such: see the report", more)
	}
	return text
}

// logAgain logs why a scenario is run again by itself.
func (m *member) logAgain(e campaign.Ended) {
	text := "this scenario is run again by itself, which counts, because its outcome in the shared run was: " + string(campaign.WordOf(e.Outcome))
	if e.Err != nil {
		text += fmt.Sprintf(" (%v)", m.source.at.explain(e.Err, m.run.Scenario))
	}
	fmt.Fprintln(m.t.Output(), text)
}

// logFailure logs an infrastructure failure: the run may be repeated after it.
func (m *member) logFailure(o engine.Outcome) {
	if o.Fault().Kind == fault.Infrastructure {
		fmt.Fprintf(m.t.Output(), "infrastructure failure: %v\n", o.Err)
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
