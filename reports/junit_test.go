package reports_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// element is what the schema of JUnit files that Jenkins' xUnit plugin publishes
// (junit-10.xsd, which GitLab and the reporters of GitHub Actions read too) says
// of an element.
type element struct {
	required, optional []string // attributes
	children           []string // in the order that they come in
	once               bool     // each child at most once
}

func junitSchema() map[string]element {
	outcome := element{optional: []string{"message", "type"}}
	return map[string]element{
		"testsuites": {optional: []string{"name", "time", "tests", "failures", "disabled", "errors"}, children: []string{"testsuite"}},
		"testsuite": {required: []string{"name", "tests", "failures", "errors"},
			optional: []string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url", "version"},
			children: []string{"properties", "testcase", "system-out", "system-err"}},
		"properties": {children: []string{"property"}},
		"property":   {required: []string{"name", "value"}},
		"testcase": {required: []string{"name", "classname"}, optional: []string{"time", "group"}, once: true,
			children: []string{"skipped", "error", "failure", "system-out", "system-err"}},
		"error": outcome, "failure": outcome, "skipped": outcome, "system-out": {}, "system-err": {},
	}
}

// seconds is a time as the schema has it.
var seconds = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?$`)

// opened is an element that is being read.
type opened struct {
	name string
	seen []string // its children
}

// junitProblems lists what the schema does not allow in a file.
func junitProblems(text string) (problems []string) {
	in := xml.NewDecoder(strings.NewReader(text))
	stack := []opened{{name: ""}}
	for {
		token, err := in.Token()
		switch {
		case errors.Is(err, io.EOF):
			return problems
		case err != nil:
			return append(problems, err.Error())
		}
		switch t := token.(type) {
		case xml.StartElement:
			problems = append(problems, startProblems(&stack[len(stack)-1], t)...)
			stack = append(stack, opened{name: t.Name.Local})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

func startProblems(above *opened, t xml.StartElement) (problems []string) {
	schema, name := junitSchema(), t.Name.Local
	e, known := schema[name]
	if !known {
		return []string{"unknown element " + name}
	}
	if parent := schema[above.name]; above.name != "" {
		place := slices.Index(parent.children, name)
		switch {
		case place < 0:
			problems = append(problems, name+" in "+above.name)
		case len(above.seen) > 0 && slices.Index(parent.children, above.seen[len(above.seen)-1]) > place:
			problems = append(problems, name+" behind "+above.seen[len(above.seen)-1])
		case (parent.once || name != "testcase" && above.name == "testsuite") && slices.Contains(above.seen, name):
			problems = append(problems, name+" twice")
		}
	}
	above.seen = append(above.seen, name)
	for _, r := range e.required {
		if !slices.ContainsFunc(t.Attr, func(a xml.Attr) bool { return a.Name.Local == r && a.Value != "" }) {
			problems = append(problems, name+" without "+r)
		}
	}
	for _, a := range t.Attr {
		if !slices.Contains(append(slices.Clone(e.required), e.optional...), a.Name.Local) {
			problems = append(problems, name+" has "+a.Name.Local)
		}
		if a.Name.Local == "time" && !seconds.MatchString(a.Value) {
			problems = append(problems, name+" takes "+a.Value)
		}
	}
	return problems
}

func TestJUnitKeepsTheSchema(t *testing.T) {
	assert.Empty(t, junitProblems(write(t, "junit.xml", fixedRun(0))))
	assert.Empty(t, junitProblems(write(t, "junit.xml", hostileRun())))
	for _, bad := range []string{
		`<testsuite name="x" tests="1" failures="0"/>`,
		`<testsuites><testcase name="x" classname="y"/></testsuites>`,
		`<testsuite name="x" tests="1" failures="0" errors="0"><testcase classname="y" name="x"/><properties/></testsuite>`,
		`<testsuite name="x" tests="1" failures="0" errors="0"><system-out/><system-out/></testsuite>`,
		`<testcase name="x" classname="y" file="z"/>`,
		`<testcase name="x" classname="y" time="1s"/>`,
		`<testcase name="x" classname="y"><failure/><failure/></testcase>`,
		`<testsuites>`, "<testsuites>\x1b</testsuites>",
	} {
		assert.NotEmpty(t, junitProblems(bad), bad)
	}
}

// read is what a CI system takes out of the file.
type read struct {
	Suites []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Cases    []struct {
			Name    string   `xml:"name,attr"`
			Class   string   `xml:"classname,attr"`
			Failure *outcome `xml:"failure"`
			Error   *outcome `xml:"error"`
			Out     string   `xml:"system-out"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func readJUnit(t *testing.T, r reports.Run) read {
	t.Helper()
	var got read
	assert.NoError(t, xml.Unmarshal([]byte(write(t, "junit.xml", r)), &got))
	return got
}

// TestJUnitForCI: what CI systems group by, and what they show.
func TestJUnitForCI(t *testing.T) {
	suite := readJUnit(t, fixedRun(0)).Suites[0]
	failures, faults := 0, 0
	for _, c := range suite.Cases {
		// Jenkins takes what is before the last dot for the package.
		assert.Equal(t, 1, strings.Count(c.Class, "."), c.Class)
		assert.True(t, strings.HasPrefix(c.Class, "skewsim.emptydir-mode "), c.Class)
		if c.Failure != nil {
			failures++
		}
		if c.Error != nil {
			faults++
			assert.NotEmpty(t, c.Error.Message, c.Name)
		}
	}
	assert.Equal(t, []int{len(suite.Cases), failures, faults}, []int{suite.Tests, suite.Failures, suite.Errors})

	decodes := suite.Cases[1].Failure
	sentence := "everything-decodes: LIST pods through a (v1.36.3) answered 500 in step 13"
	assert.Equal(t, sentence, decodes.Message, "lists of cases show the message alone")
	assert.Contains(t, decodes.Text, sentence+"\n  report.html#step-13\n")
	assert.Contains(t, decodes.Text, term.AdviceOnRule(term.RuleStorage).Text)
	assert.Contains(t, suite.Cases[0].Failure.Text, "\n  report.html#step-12/token-1/.data.password\n")
	assert.Contains(t, suite.Cases[0].Out, "  report.html#step-12/scratch-treated-2/.spec.volumes%5Bname=%22v%22%5D.emptyDir.mode")
}

// TestJUnitIsCut: a case with more than anyone reads says how much it leaves out.
func TestJUnitIsCut(t *testing.T) {
	count := func(n, letters int) string {
		r := fixedRun(0)
		r.Result.Findings = nil
		for i := range n {
			r.Result.Findings = append(r.Result.Findings, result.Finding{Check: term.CheckNothingLost, Rule: term.Rule1, Step: i + 1,
				Message: fmt.Sprintf("finding-%d %s", i, strings.Repeat("x", letters))})
		}
		return readJUnit(t, r).Suites[0].Cases[0].Failure.Text
	}
	few, many := count(50, 10), count(5000, 10)
	assert.Equal(t, 50, strings.Count(few, "finding-"))
	assert.NotContains(t, few, "more, in report.html")
	assert.Equal(t, 50, strings.Count(many, "finding-"))
	assert.Contains(t, many, "and 4950 more, in report.html")
	long := count(1, 100_000)
	assert.Less(t, len(long), 4000)
	assert.Contains(t, long, "characters more, in report.html)")
}
