package run

import (
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
)

// ChainText writes the summary of a chain, the verdict last. ReportPath is the chain's directory.
func ChainText(w io.Writer, v chain.Verdict, o TextOptions) error {
	d := chainDocument(v)
	if o.ReportPath != "" {
		d.Places = []string{"each leg has its report: " + o.ReportPath + "/legs"}
	}
	return document.Terminal(w, d, o.TerminalOptions)
}

// chainDocument fills the document of a chain: its legs, the findings of the whole chain, and what was
// not compared.
func chainDocument(v chain.Verdict) document.Document {
	d := document.Document{
		Verdict: verdictMark(v.Verdict), Title: fmt.Sprintf("%s, %s, seed %d", v.Scenario, view.ChainPair(v), v.Seed),
		Lead: document.Paragraphs(v.Reason), Page: view.ReportFile, MaxText: maxText,
	}
	legs := document.Section{Title: "legs"}
	for _, leg := range v.Legs {
		mark := verdictMark(leg.Verdict)
		mark.Sign = ""
		row := document.Row{Cells: []document.Cell{{Mark: mark, Text: document.Prose(fmt.Sprintf("%-20s %3d copies, %3d taken over, %3d findings", leg.Directory, leg.Copies, leg.Adopted, leg.Findings))}}}
		if strings.Contains(leg.OldTitle+leg.NewTitle, " ") { // more than the directory's name shows
			row = row.With(leg.OldTitle + " .. " + leg.NewTitle)
		}
		if leg.Verdict != term.Pass {
			row = row.With(leg.Reason).With(leg.Unexpected...)
		}
		legs.Rows = append(legs.Rows, row)
	}
	var found, missing, uncaught []string
	for _, f := range v.Findings {
		found = append(found, f.Message)
	}
	for _, m := range v.Missing {
		missing = append(missing, m.Message)
	}
	for _, release := range v.Uncaught {
		uncaught = append(uncaught, release+" differs from the correct release, and no leg that runs it shows a difference: the scenario does not use what it changes")
	}
	d.Add(legs, document.Section{Title: fmt.Sprintf("differences between legs: %d", len(found)), Rows: document.List(found)},
		document.Section{Title: fmt.Sprintf("expected, but not found: %d", len(missing)), Mark: document.Mark{Word: "MISSING", Severity: document.Bad}, Rows: document.List(missing)},
		document.Section{Title: fmt.Sprintf("not compared: %d", len(v.Unseen)), Rows: document.List(v.Unseen)},
		document.Section{Title: fmt.Sprintf("not caught: %d", len(uncaught)), Rows: document.List(uncaught)})
	for i := range d.Sections {
		d.Sections[i].Whole = true
	}
	return d
}

// ChainJUnit writes a chain's junit.xml: the chain is a suite, each leg a case, and the findings of the whole
// chain another. Impacts fail no case if they are allowed.
func ChainJUnit(w io.Writer, v chain.Verdict, allowImpacts bool) error {
	suite := document.Suite{Name: fmt.Sprintf("%s (%s)", v.Scenario, view.ChainPair(v)), Page: view.ReportFile}
	suite.Add("verdict", string(v.Verdict))
	suite.Add("reason", v.Reason)
	suite.Add("seed", fmt.Sprint(v.Seed))
	for _, leg := range v.Legs {
		tc := document.Case{Name: leg.Directory, Seconds: leg.Seconds, Message: leg.Reason, Text: document.LinesOf(append(leg.Unexpected[:len(leg.Unexpected):len(leg.Unexpected)], "report: legs/"+leg.Directory+"/"+view.ReportFile)...)}
		judged := ended(tc, leg.Verdict, leg.Reason, allowImpacts)
		if leg.Verdict == term.Unknown {
			judged.Text = tc.Text // the leg's report shows why
		}
		suite.Cases = append(suite.Cases, judged)
	}
	suite.Cases = append(suite.Cases, wholeCase(v))
	return document.JUnit(w, suite)
}

// wholeCase is the case of what no leg shows: differences between legs, expectations that no leg met, and
// legs that were not executed.
func wholeCase(v chain.Verdict) document.Case {
	tc := document.Case{Name: "between legs"}
	for _, f := range v.Findings {
		tc.Text = append(tc.Text, document.Line{Text: f.Message})
	}
	for _, m := range v.Missing {
		tc.Text = append(tc.Text, document.Line{Text: m.Message})
	}
	switch {
	case len(tc.Text) > 0:
		tc.Message = tc.Text[0].Text
		return ended(tc, term.Fail, "", false)
	case len(v.Legs) < v.Planned || len(v.Unseen) > 0 || v.Compared == 0 && v.Planned > 1:
		return ended(tc, term.Unknown, v.Reason, false)
	}
	return tc
}
