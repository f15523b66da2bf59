package sweep

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// The limits of a case: CI systems show little of long texts, and some refuse them.
const (
	maxMessage = 300  // characters of the message, which lists of cases show in one line
	maxText    = 2000 // characters of one line of a case's text
)

// JUnit writes junit.xml: the sweep is a suite, and each row a case. A row that the gate lets
// fail is a failure; one that was not exercised, or that is pre-existing, is skipped, with the reason. A sweep that ended
// early has a case with an error, since the rows that are missing did not pass.
func JUnit(w io.Writer, r sweep.Result, o Options) error {
	suite := junit.Testsuite{Name: view.Visible("sweep " + pair(r)), Time: fmt.Sprintf("%.3f", seconds(r.Laps))}
	suite.AddProperty("answer", brief(r.Answer, maxText))
	suite.AddProperty("seed", fmt.Sprint(r.Seed))
	if r.Command != "" {
		suite.AddProperty("repeat", brief(r.Command, maxText))
	}
	if r.Ended != "" {
		suite.AddTestcase(junit.Testcase{Name: "the whole sweep was played", Classname: "skewsim.sweep",
			Error: &junit.Result{Message: brief(r.Ended, maxMessage), Type: string(term.Unknown), Data: brief(r.Ended, maxText)}})
	}
	for _, g := range r.Groups(o.FailOn) { // the rows of one change are beside each other
		for _, row := range g.Rows {
			suite.AddTestcase(rowCase(row, g.Fails, ofDefinitions(r)))
		}
	}
	suite.SystemOut = &junit.Output{Data: "page: " + Page}
	return writeSuite(w, suite)
}

func writeSuite(w io.Writer, suite junit.Testsuite) error {
	var suites junit.Testsuites
	suites.AddSuite(suite)
	text := bytes.NewBufferString(xml.Header)
	if err := suites.WriteXML(text); err != nil {
		return fmt.Errorf("junit.xml: %w", err)
	}
	return written(w, "junit.xml", text.Bytes())
}

// rowCase is the case of one row. Its name is unique, since the row's ID is.
func rowCase(row sweep.Row, fails, definitions bool) junit.Testcase {
	kind := view.FirstOf(row.Kind, "release")
	c := junit.Testcase{
		Name:      brief(fmt.Sprintf("%s: %s (%s)", row.Difference.Difference, place(row.Difference), row.ID), maxText),
		Classname: "skewsim.sweep." + strings.ReplaceAll(view.Visible(kind), ".", "_"),
	}
	text := caseText(row, definitions)
	switch {
	case fails:
		message := label(row.Effect, definitions) + ": " + place(row.Difference)
		c.Failure = &junit.Result{Message: brief(message, maxMessage), Type: row.Effect.String(), Data: text}
	case row.PreExisting:
		c.Skipped = &junit.Result{Message: brief("pre-existing, the old release alone does it too: "+label(row.Effect, definitions)+", "+why(row.LapResult), maxMessage)}
	case row.Outcome == term.NotExercised || row.Outcome == term.Indeterminate:
		c.Skipped = &junit.Result{Message: brief(view.FirstOf(row.Reason, label(row.Effect, definitions)), maxMessage)}
	default:
		c.SystemOut = &junit.Output{Data: text}
	}
	return c
}

// caseText is what a row says, one fact a line.
func caseText(row sweep.Row, definitions bool) string {
	var lines []string
	add := func(name, text string) {
		if text != "" {
			lines = append(lines, name+": "+brief(text, maxText))
		}
	}
	add("outcome", strings.TrimSpace(label(row.Effect, definitions)+" "+cellCount(row.LapResult)))
	add("reachable", reachable(row))
	add("gates", gates(row.Difference))
	add("ruling", ruling(row.LapResult))
	add("known bug", row.Known)
	add("cause", string(row.Cause))
	add("reason", row.Reason)
	listed := cellsOf(row.LapResult)
	for _, c := range listed {
		add("cell", strings.TrimSuffix(strings.Join([]string{c.Write, stage(c, definitions), c.Message}, ", "), ", "))
	}
	if more := row.PlayedWith(row.Effect) - len(listed); more > 0 {
		add("and more", term.Numbered(more, "cell"))
	}
	add("history", local(row.History))
	return strings.Join(lines, "\n")
}
