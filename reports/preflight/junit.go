package preflight

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// The limits of a case: CI systems show little of long texts, and some refuse them.
const (
	maxMessage = 300  // characters of the message, which lists of cases show in one line
	maxText    = 2000 // characters of one line of a case's text
	maxListed  = 30   // causes in a case's text
)

// JUnit writes junit.xml: each hop is a suite, with a case for each direction, and one for each
// kind and outcome. What is blocked fails, unless it is accepted or an earlier preflight has it too; what was not played is an error or skipped, and never
// passes.
func JUnit(w io.Writer, r preflight.Result, _ Options) error {
	var suites junit.Testsuites
	for _, h := range r.Hops {
		suites.AddSuite(hopSuite(r, h))
	}
	if r.Ended != "" || len(r.Hops) == 0 {
		reason := view.FirstOf(r.Ended, "nothing was played")
		suite := junit.Testsuite{Name: "preflight"}
		suite.AddTestcase(junit.Testcase{Name: "the whole preflight was played", Classname: "skewsim.preflight",
			Error: &junit.Result{Message: brief(reason, maxMessage), Type: string(preflight.Unknown), Data: brief(reason, maxText)}})
		suites.AddSuite(suite)
	}
	text := bytes.NewBufferString(xml.Header)
	if err := suites.WriteXML(text); err != nil {
		return fmt.Errorf("junit.xml: %w", err)
	}
	return written(w, "junit.xml", text.Bytes())
}

func hopSuite(r preflight.Result, h preflight.Hop) junit.Testsuite {
	seconds := 0.0
	for _, p := range h.Phases {
		seconds += p.Seconds
	}
	suite := junit.Testsuite{Name: brief("preflight "+pair(h), maxMessage), Time: fmt.Sprintf("%.3f", seconds)}
	suite.AddProperty("source", brief(source(r.Source)+judged(r), maxText))
	if r.Command != "" {
		suite.AddProperty("repeat", brief(r.Command, maxText))
	}
	if g := group(h); len(g.Baseline) > 0 {
		suite.AddProperty("broken already", term.Counted(len(g.Baseline), "cause", "causes"))
	}
	for _, p := range notCovered(r.Source) {
		if len(p.Lines) > 0 {
			suite.AddProperty(p.Title, brief(strings.Join(p.Lines, "; "), maxText))
		}
	}
	for _, a := range answers(h) {
		suite.AddTestcase(directionCase(h, a))
	}
	for _, c := range sourceCases(r.Source) {
		suite.AddTestcase(c)
	}
	for _, c := range kindCases(h) {
		suite.AddTestcase(c)
	}
	suite.SystemOut = &junit.Output{Data: "page: " + Page}
	return suite
}

// sourceCases are the cases of what the source did not show: they are not decided, and never pass.
func sourceCases(s preflight.Source) (cases []junit.Testcase) {
	for _, p := range []part{{"what was not read", s.NotRead}, {"what the source cannot show", s.CannotSee}} {
		if len(p.Lines) > 0 {
			text := strings.Join(p.Lines, "; ")
			cases = append(cases, junit.Testcase{Name: p.Title, Classname: "skewsim.preflight.source", Skipped: &junit.Result{Message: brief(text, maxMessage)}, SystemOut: &junit.Output{Data: brief(text, maxText)}})
		}
	}
	return cases
}

// directionCase is the case of one direction.
func directionCase(h preflight.Hop, a answer) junit.Testcase {
	c := junit.Testcase{Name: brief(directionWord(h, a.Direction), maxMessage), Classname: "skewsim.preflight.direction"}
	result := &junit.Result{Message: brief(a.Sentence, maxMessage), Type: gradeWord(a.Grade), Data: brief(a.Sentence, maxText)}
	switch {
	case slices.ContainsFunc(h.Findings, func(f preflight.Finding) bool { return f.Direction == a.Direction && f.Fails() }):
		c.Failure = result
	case !h.Played(a.Direction):
		c.Error = result
	case a.Grade == preflight.Unknown || a.Grade == "":
		c.Skipped = &junit.Result{Message: result.Message}
	default:
		c.SystemOut = &junit.Output{Data: result.Data}
	}
	return c
}

// kindCases are a case for each kind and outcome that it has, and one for each kind without a
// finding. Two names that differ only in characters that act have one case each, as they are.
func kindCases(h preflight.Hop) (cases []junit.Testcase) {
	whole := true
	for _, a := range answers(h) {
		whole = whole && h.Played(a.Direction)
	}
	type subject struct {
		group, kind string
		outcome     term.Outcome
	}
	found := map[subject][]preflight.Finding{}
	kinds := map[[2]string]bool{}
	for _, f := range h.Findings {
		g := subject{f.Group, f.Kind, f.Outcome}
		found[g] = append(found[g], f)
		kinds[[2]string{f.Group, f.Kind}] = true
	}
	for _, g := range slices.SortedFunc(maps.Keys(found), func(a, b subject) int {
		return strings.Compare(strings.Join([]string{a.group, a.kind, string(a.outcome)}, "\x00"), strings.Join([]string{b.group, b.kind, string(b.outcome)}, "\x00"))
	}) {
		cases = append(cases, outcomeCase(object(g.group, g.kind), g.outcome, found[g], h))
	}
	for _, k := range h.Kinds {
		if kinds[[2]string{k.Group, k.Kind}] {
			continue
		}
		c := junit.Testcase{Name: "no finding", Classname: className(object(k.Group, k.Kind))}
		if unread := h.Unread(k.Group, k.Kind); unread > 0 {
			c.Skipped = &junit.Result{Message: fmt.Sprintf("%d of %d objects cannot be read already", unread, k.Objects)}
		}
		if !whole {
			c.Skipped = &junit.Result{Message: "not played to its end"}
		}
		cases = append(cases, c)
	}
	return cases
}

func className(kind string) string {
	return "skewsim.preflight." + brief(strings.ReplaceAll(kind, ".", "_"), maxMessage)
}

// outcomeCase is the case of the objects of a kind with an outcome.
func outcomeCase(kind string, word term.Outcome, all []preflight.Finding, h preflight.Hop) junit.Testcase {
	shown := outcomeOf(word)
	c := junit.Testcase{Name: brief(shown.Label, maxMessage), Classname: className(kind)}
	g := group(preflight.Hop{Findings: all})
	var lines []string
	for i, cause := range g.Causes {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("and %d more causes, in %s", len(g.Causes)-i, Page))
			break
		}
		lines = append(lines, brief(strings.Join([]string{where(h, cause), place(cause), cause.count(), cause.owners(maxOwners), cause.Message, cause.remedy()}, " · "), maxText))
	}
	if g.Ephemeral != "" {
		lines = append(lines, brief(g.Ephemeral, maxText))
	}
	message := brief(kind+": "+view.FirstOf(shown.Meaning, shown.Label), maxMessage)
	text := strings.Join(lines, "\n")
	switch c.SystemOut = (&junit.Output{Data: text}); {
	case slices.ContainsFunc(all, preflight.Finding.Fails):
		c.Failure, c.SystemOut = &junit.Result{Message: message, Type: brief(string(word), maxMessage), Data: text}, nil
	case preflight.GradeOf(word) == preflight.Unknown:
		c.Skipped = &junit.Result{Message: message}
	}
	return c
}
