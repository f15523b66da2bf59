package page

import (
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/plots"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// runPage is the data of report.html's template: every section drawn, in the order of the
// page.
type runPage struct {
	document.Frame
	Pack []StatesBlock

	Tool       string
	Result     result.Result
	Plan       []planned
	Replicas   int
	Cut        bool // the run ended early
	Timeline   Timeline
	Unexpected kinds
	Matches    []matched
	Expected   int // number of findings in Matches
	Missing    []absent
	Overdue    []overdue   // expectations that have expired
	Elsewhere  []elsewhere // those that are for other pairs
	Skipped    []view.SkipReason
	Figures    []plots.Figure
	Copies     int
	Legend     term.List[term.Outcome]
	Builds     []build
}

// build is one of the pair's builds: what was requested, and what its server reported.
type build struct {
	result.Build
	Options plan.Release
	Shown   string   // the gates that the scenario sets, as the server reports them
	Others  int      // number of other gates that the server reports
	Further []string // options besides gates, APIs and flags
}

// absent is an expectation that was not met.
type absent struct {
	result.Missing
	Line string
}

// drawRun draws every section of the page.
func drawRun(r view.Run) (runPage, error) {
	d := runPage{
		Frame: runFrame, Tool: r.Tool, Result: r.Result, Replicas: len(r.Plan.Replicas), Cut: r.Cut, Builds: builds(r), Timeline: DrawTimeline(r),
		Plan:    drawPlan(r),
		Skipped: view.SkippedByReason(r.Result.Skipped),
		Copies:  len(r.Ledger.Copies), Legend: term.RunOutcomes(),
	}
	d.drawFindings(r)
	var err error
	if d.Figures, err = plots.Draw(r); err != nil {
		return runPage{}, err
	}
	d.Pack, err = DrawStates(r)
	return d, err
}

// drawFindings draws the findings and the expectations that were not met.
func (d *runPage) drawFindings(r view.Run) {
	d.Unexpected = drawKinds(view.Unexpected(r.Result.Findings))
	for _, m := range view.Matches(r.Plan.Expect, r.Result.Findings) {
		d.Matches = append(d.Matches, matched{m.Place, sentenceOf(r.Result, m.Findings), m.Line, drawKinds(m.Findings)})
		d.Expected += len(m.Findings)
	}
	for _, m := range r.Result.Missing {
		d.Missing = append(d.Missing, absent{m, view.ExpectationLine(m.Expectation)})
	}
	for _, e := range r.Result.Expired {
		d.Overdue = append(d.Overdue, overdue{e, view.ExpectationLine(e.Expectation)})
	}
	for _, e := range r.Result.Elsewhere {
		d.Elsewhere = append(d.Elsewhere, elsewhere{e, view.ExpectationLine(e.Expectation)})
	}
}

// about is the scenario's description: its first sentence, which is shown, and the rest,
// which can be opened.
type about struct{ Lead, Rest string }

// aboutOf cuts a scenario's description after its first sentence.
func aboutOf(text string) about {
	text = strings.Join(strings.Fields(text), " ")
	lead, rest, ok := strings.Cut(text, ". ")
	if !ok {
		return about{Lead: text}
	}
	return about{lead + ".", rest}
}

// builds draws both builds of the pair. Servers report hundreds of gates; those that the
// scenario's options set are shown, the rest counted.
func builds(r view.Run) []build {
	var drawn []build
	for _, b := range r.Result.Builds {
		d := build{Build: b, Options: r.Plan.Release(b.Role)}
		d.Further = append(plan.FurtherOptions(d.Options.Options), substitutes(b)...)
		if text := d.Options.ProgramText(); text != "" {
			d.Further = append(d.Further, text)
		}
		told := map[string]bool{}
		for name, asked := range d.Options.Options.FeatureGates {
			told[name] = asked
			if state, ok := b.Gates[name]; ok {
				told[name] = state
			}
		}
		d.Shown = gates(told)
		for name := range b.Gates {
			if _, shown := told[name]; !shown {
				d.Others++
			}
		}
		drawn = append(drawn, d)
	}
	return drawn
}

// substitutes returns the server that definitions are installed on, what substitutes for
// unavailable releases and modules, and where a binary is from that was not built.
func substitutes(b result.Build) (all []string) {
	if b.Server != "" {
		all = append(all, "served by "+b.Server)
	}
	if b.Asked != "" {
		all = append(all, "in the place of "+b.Asked)
	}
	if b.From != "" {
		all = append(all, "not built from source: "+b.From+"; gates of fields are those of the source of "+b.Version)
	}
	for _, s := range b.Substituted {
		all = append(all, "substituted: "+s)
	}
	return all
}

// overdue is an expectation that has expired, with its line in the scenario, which a
// report's reader may not have.
type overdue struct {
	result.Expired
	Line string
}

// elsewhere is an expectation for other pairs, with its line.
type elsewhere struct {
	result.Elsewhere
	Line string
}
