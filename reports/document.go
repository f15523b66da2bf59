package reports

import (
	"html/template"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// document is report.html as the template sees it: every section drawn, in
// the order of the page.
type document struct {
	Policy   string // the content security policy
	Style    template.CSS
	Script   template.JS
	Evidence template.HTML

	Tool       string
	Result     result.Result
	Plan       plan.Plan
	Builds     []build
	Lanes      []lane
	Unexpected []finding
	Matches    []matched
	Expected   int // how many findings the Matches hold
	Missing    []absent
	Skipped    []reason
	Plot       template.HTML
	Tallies    []tally
	States     []term.State // those that the tallies hold
	Sections   []section
	Copies     int
	Legend     term.List[term.State]
}

// build is one end of the pair: what was asked for, and what the server told.
type build struct {
	result.Build
	Options plan.Release
	Shown   string   // the gates that the scenario sets, as the server reports them
	Others  int      // how many more gates the server reports
	Further []string // options beside gates, APIs and flags
}

// finding is a finding with a link to its evidence.
type finding struct {
	result.Finding
	Link template.URL
}

// matched is the findings that one line of expect matches.
type matched struct {
	Place    int
	Line     string
	Findings []finding
}

// absent is an expectation that was not met.
type absent struct {
	result.Missing
	Line string
}

// drawDocument draws every section of the page.
func drawDocument(r Run) (document, error) {
	e := newEvidence(r)
	sections, err := drawCopies(r, e)
	if err != nil {
		return document{}, err
	}
	d := document{
		Tool: r.Tool, Result: r.Result, Plan: r.Plan, Builds: builds(r), Lanes: lanes(r),
		Skipped: skippedByReason(r.Result.Skipped), Sections: sections,
		Copies: len(r.Ledger.Copies), Legend: term.States(),
	}
	d.drawFindings(r, anchors(sections))
	d.Tallies = survival(r)
	d.States = seen(d.Tallies)
	if d.Plot, err = survivalPlot(d.Tallies); err != nil {
		return document{}, err
	}
	d.Evidence, err = e.block()
	return d, err
}

// drawFindings draws the findings and the expectations not met.
func (d *document) drawFindings(r Run, known map[string]bool) {
	d.Unexpected = linked(unexpected(r.Result.Findings), known)
	for _, m := range matches(r.Plan.Expect, r.Result.Findings) {
		d.Matches = append(d.Matches, matched{m.Place, m.Line, linked(m.Findings, known)})
		d.Expected += len(m.Findings)
	}
	for _, m := range r.Result.Missing {
		d.Missing = append(d.Missing, absent{m, line(m.Expectation)})
	}
}

// anchors are the places a finding can be linked to.
func anchors(sections []section) map[string]bool {
	known := map[string]bool{}
	for _, s := range sections {
		for _, c := range s.Copies {
			known[c.ID] = true
			for _, row := range c.Rows {
				known[row.ID] = true
			}
		}
	}
	return known
}

// linked gives each finding the link to its evidence: its copy's row, else its
// copy, else the step of the plan, which is all that a whole LIST has.
func linked(findings []result.Finding, known map[string]bool) []finding {
	drawn := make([]finding, len(findings))
	for i, f := range findings {
		copied := copyID(f.Copy)
		row := rowID(copied, f.Step, map[string]int{})
		target := stepID(f.Step)
		switch {
		case known[row]:
			target = row
		case known[copied]:
			target = copied
		}
		drawn[i] = finding{f, link(target)}
	}
	return drawn
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

// standIns are what was played in the place of something that could not be had.
func standIns(b result.Build) (all []string) {
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
