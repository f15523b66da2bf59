package document

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/scenarios/term"
)

// The limits of a case: CI systems show little of long texts, and some refuse them.
const (
	maxMessage   = 300  // characters of a message, which lists of cases show in one line
	maxSentence  = 2000 // characters of one line of a case's text
	maxSentences = 50   // lines of a case's text
)

// Suite is a test suite of junit.xml.
type Suite struct {
	Name       string
	Seconds    float64
	Properties []Property
	Cases      []Case
	Output     []string
	// Page is the name of the page that has what the cases leave out.
	Page string
}

// Property is a name and a value of a suite.
type Property struct{ Name, Value string }

// Add adds a property, unless its value is empty.
func (s *Suite) Add(name, value string) {
	if value != "" {
		s.Properties = append(s.Properties, Property{name, value})
	}
}

// Case is a test case.
type Case struct {
	// Class groups the cases of a suite; the suite's name unless set.
	Class   []string
	Name    string
	Seconds float64
	Outcome Outcome
	// Kind is the type of a failure or an error, such as a verdict.
	Kind    string
	Message string
	// Text is what a failure or an error says at length; of another case it is output.
	Text []Line
	// Advice follows the text, a paragraph each.
	Advice []string
	// Output is what the case says whatever its outcome is.
	Output []Line
}

// Line is a line of a case's text, with the address of its evidence below it if there is one.
type Line struct{ Text, Address string }

// Outcome is how a test case ended.
type Outcome int

// The outcomes of test cases.
const (
	Passed Outcome = iota
	Failed
	Errored
	Skipped
)

// LinesOf returns lines without addresses.
func LinesOf(texts ...string) []Line {
	lines := make([]Line, len(texts))
	for i, text := range texts {
		lines[i].Text = text
	}
	return lines
}

// JUnit writes junit.xml. Texts have limits, and say how much they leave out.
func JUnit(w io.Writer, suites ...Suite) error {
	var all junit.Testsuites
	for _, s := range suites {
		all.AddSuite(s.suite())
	}
	text := bytes.NewBufferString(xml.Header)
	if err := all.WriteXML(text); err != nil {
		return fmt.Errorf("junit.xml: %w", err)
	}
	return Write(w, "junit.xml", text.Bytes())
}

func (s Suite) suite() junit.Testsuite {
	suite := junit.Testsuite{Name: s.brief(s.Name, maxSentence)}
	if s.Seconds > 0 {
		suite.Time = fmt.Sprintf("%.3f", s.Seconds)
	}
	for _, p := range s.Properties {
		suite.AddProperty(p.Name, s.brief(p.Value, maxSentence))
	}
	for _, c := range s.Cases {
		suite.AddTestcase(s.testcase(c))
	}
	suite.SystemOut = output(s.text(LinesOf(s.Output...)))
	return suite
}

func (s Suite) testcase(c Case) junit.Testcase {
	if len(c.Class) == 0 {
		c.Class = []string{s.Name}
	}
	tc := junit.Testcase{Name: s.brief(c.Name, maxSentence), Classname: s.className(c.Class)}
	if c.Seconds > 0 {
		tc.Time = fmt.Sprintf("%.3f", c.Seconds)
	}
	text := s.text(c.Text)
	for _, advice := range c.Advice {
		text += "\n\n" + s.brief(advice, maxSentence)
	}
	result := &junit.Result{Message: s.brief(c.Message, maxMessage), Type: s.brief(c.Kind, maxMessage), Data: text}
	switch c.Outcome {
	case Failed:
		tc.Failure, text = result, ""
	case Errored:
		tc.Error, text = result, ""
	case Skipped:
		tc.Skipped = &junit.Result{Message: result.Message}
	}
	tc.SystemOut = output(strings.Trim(s.text(c.Output)+"\n"+text, "\n"))
	return tc
}

func output(text string) *junit.Output {
	if text == "" {
		return nil
	}
	return &junit.Output{Data: text}
}

// className joins the parts of a class. Jenkins uses everything up to the last dot as a package, so
// versions in it have no dots.
func (s Suite) className(parts []string) string {
	name := "skewsim"
	for _, part := range parts {
		name += "." + strings.NewReplacer(" .. ", " to ", ".", "_").Replace(s.brief(part, maxSentence))
	}
	return name
}

// text returns as many lines as a case has room for.
func (s Suite) text(lines []Line) string {
	var all []string
	for i, line := range lines {
		if i == maxSentences {
			all = append(all, fmt.Sprintf("and %d more, in %s", len(lines)-i, s.Page))
			break
		}
		all = append(all, s.brief(line.Text, maxSentence))
		if line.Address != "" {
			all = append(all, "  "+term.Visible(line.Address))
		}
	}
	return strings.Join(all, "\n")
}

// brief returns inert text with at most so many characters, and says how much it leaves out.
func (s Suite) brief(text string, most int) string {
	runes := []rune(term.Visible(text))
	if len(runes) <= most {
		return string(runes)
	}
	return fmt.Sprintf("%s … (%d characters more, in %s)", string(runes[:most]), len(runes)-most, s.Page)
}
