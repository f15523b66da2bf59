package reports

import (
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// document is report.html as the template sees it: every section drawn, in
// the order of the page.
type document struct {
	Policy string // the content security policy
	Style  template.CSS
	Script template.JS
	Pack   []block

	Tool       string
	Result     result.Result
	Plan       []planned
	Replicas   int
	Cut        bool // the run did not come to its end
	Timeline   timeline
	Unexpected kinds
	Matches    []matched
	Expected   int // how many findings the Matches hold
	Missing    []absent
	Overdue    []overdue   // expectations that have expired
	Elsewhere  []elsewhere // those that are for other pairs
	Skipped    []reason
	Figures    []figure
	Copies     int
	Legend     term.List[term.State]
	Builds     []build
}

// build is one end of the pair: what was asked for, and what the server told.
type build struct {
	result.Build
	Options plan.Release
	Shown   string   // the gates that the scenario sets, as the server reports them
	Others  int      // how many more gates the server reports
	Further []string // options beside gates, APIs and flags
}

// absent is an expectation that was not met.
type absent struct {
	result.Missing
	Line string
}

// drawDocument draws every section of the page.
func drawDocument(r Run) (document, error) {
	d := document{
		Tool: r.Tool, Result: r.Result, Replicas: len(r.Plan.Replicas), Cut: r.Cut, Builds: builds(r), Timeline: drawTimeline(r),
		Plan:    drawPlan(r),
		Skipped: skippedByReason(r.Result.Skipped),
		Copies:  len(r.Ledger.Copies), Legend: term.States(),
	}
	d.drawFindings(r)
	var err error
	if d.Figures, err = drawFigures(r); err != nil {
		return document{}, err
	}
	d.Pack, err = drawPack(r)
	return d, err
}

// drawFindings draws the findings and the expectations not met.
func (d *document) drawFindings(r Run) {
	d.Unexpected = drawKinds(unexpected(r.Result.Findings))
	for _, m := range matches(r.Plan.Expect, r.Result.Findings) {
		d.Matches = append(d.Matches, matched{m.Place, m.Line, drawKinds(m.Findings)})
		d.Expected += len(m.Findings)
	}
	for _, m := range r.Result.Missing {
		d.Missing = append(d.Missing, absent{m, line(m.Expectation)})
	}
	for _, e := range r.Result.Expired {
		d.Overdue = append(d.Overdue, overdue{e, line(e.Expectation)})
	}
	for _, e := range r.Result.Elsewhere {
		d.Elsewhere = append(d.Elsewhere, elsewhere{e, line(e.Expectation)})
	}
}

// about is what the scenario says of itself: its first sentence, which is
// shown, and the rest, which can be opened.
type about struct{ Lead, Rest string }

// aboutOf cuts a scenario's text after its first sentence.
func aboutOf(text string) about {
	text = strings.Join(strings.Fields(text), " ")
	lead, rest, ok := strings.Cut(text, ". ")
	if !ok {
		return about{Lead: text}
	}
	return about{lead + ".", rest}
}

// builds draws both ends of the pair. Servers report hundreds of gates; those
// that the scenario's options set are shown, the rest counted.
func builds(r Run) []build {
	var drawn []build
	for _, b := range r.Result.Builds {
		d := build{Build: b, Options: releaseOf(r.Plan, b.Role)}
		d.Further = append(plan.FurtherOptions(d.Options.Options), standIns(b)...)
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

// standIns are the server that definitions are installed on, and what was played in the
// place of something that is not available.
func standIns(b result.Build) (all []string) {
	if b.Server != "" {
		all = append(all, "served by "+b.Server)
	}
	if b.Asked != "" {
		all = append(all, "in the place of "+b.Asked)
	}
	for _, s := range b.Substituted {
		all = append(all, "substituted: "+s)
	}
	return all
}

// releaseOf finds the plan's release with the role.
func releaseOf(p plan.Plan, role term.Role) plan.Release {
	i := slices.IndexFunc(p.Releases, func(r plan.Release) bool { return r.Role == role })
	if i < 0 {
		return plan.Release{Role: role}
	}
	return p.Releases[i]
}

// sortedKeys returns a map's keys in order, for maps have none.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
