package skewtest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
)

// again is the variable with which this binary runs TestCases in a process of its own.
const again = "SKEWTEST_CASES"

// TestOutput: with -short every scenario is validated and planned, and what is wrong names
// lines of the test, never those of this package.
func TestOutput(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.v", "-test.short", "-test.run", "^TestCases$")
	c.Env = append(os.Environ(), again+"=1")
	out, err := c.CombinedOutput()
	require.Error(t, err)
	outcomes, texts := map[string]string{}, map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): TestCases/(\S+)`).FindAllStringSubmatch(string(out), -1) {
		outcomes[found[2]] = found[1]
	}
	for _, part := range regexp.MustCompile(`(?m)^=== (?:RUN|NAME|CONT) +TestCases/`).Split(string(out), -1) {
		name, text, _ := strings.Cut(part, "\n")
		texts[name] += text
	}
	assert.Equal(t, map[string]string{
		"right": "SKIP", "zero": "SKIP", "file": "SKIP", "no-file": "FAIL", "nothing": "FAIL", "no-files": "FAIL", "no-release": "FAIL",
		"line": "FAIL", "then": "FAIL", "object": "FAIL", "expectation": "FAIL", "edited": "FAIL", "unfit": "SKIP",
		"several": "FAIL", "several/my-field": "SKIP", "several/wrong": "FAIL", "twice": "FAIL", "nil": "FAIL", "empty-env": "FAIL", "nil-env": "FAIL", "nil-option": "FAIL", "file-twice": "FAIL",
		"nil-form": "FAIL", "nil-then": "FAIL", "count": "FAIL", "object-twice": "FAIL", "bad-name": "FAIL", "no-lines": "FAIL",
	}, outcomes, string(out))
	for name, text := range texts {
		for _, line := range regexp.MustCompile(`(?m)^ +([\w.]+):\d+: `).FindAllStringSubmatch(text, -1) {
			assert.Equal(t, "output_test.go", line[1], "%s: %s", name, text)
		}
	}
	for name, rest := range map[string]string{
		"line": "play[3].client: ", "then": "play[3].then[0].get: ", "object": "objects/gizmo-treated.yaml:", "expectation": "expect[1].check: ",
		"edited": "play[0].get: ", "unfit": "apply gadget by old-typed: ", "nil-form": `scenario my-field: object "x": `, "nil-then": "the function of Then is nil",
		"count": "Count(0) ", "object-twice": `scenario my-field: object "gadget": scenario_test.go:`,
		"bad-name": `scenario name "My Field/../x": `, "no-lines": "scenario no-lines has no lines: ",
	} {
		assert.Contains(t, texts[name], fmt.Sprintf("output_test.go:%d: %s", lineWith(t, "// "+name+":"), rest))
	}
}

// lineWith returns the line of this file after that with a text.
func lineWith(t *testing.T, text string) int {
	source, err := os.ReadFile("output_test.go")
	require.NoError(t, err)
	before, _, found := strings.Cut(string(source), "\t"+text)
	require.True(t, found, text)
	return strings.Count(before, "\n") + 2
}

// TestCases are the tests of TestOutput. The line that is reported follows a comment with the
// name of the test.
func TestCases(t *testing.T) {
	if os.Getenv(again) == "" {
		t.Skip("TestOutput runs it")
	}
	start := func(t *testing.T) *Env {
		return Start(t, Old("kube-apiserver@v1.36.3"), New("kube-apiserver@v1.37.0"))
	}
	for name, run := range map[string]func(t *testing.T){
		"right":      func(t *testing.T) { start(t).Run(t, myField()) },
		"file":       func(t *testing.T) { start(t).RunFile(t, "kubernetes/every-call") },
		"no-file":    func(t *testing.T) { start(t).RunFile(t, "no-such-file.yaml") },
		"nothing":    func(t *testing.T) { start(t).Run(t) },
		"no-files":   func(t *testing.T) { start(t).RunFile(t) },
		"no-release": func(t *testing.T) { Start(t, Old("frobber@1.0")) },
		"several":    func(t *testing.T) { start(t).Run(t, myField(), Scenario("wrong")) },
		"twice":      func(t *testing.T) { start(t).Run(t, myField(), myField()) },
		"nil":        func(t *testing.T) { start(t).Run(t, myField(), nil) },
		"empty-env":  func(t *testing.T) { (&Env{}).Run(t, myField()) },
		"nil-env":    func(t *testing.T) { (*Env)(nil).RunFile(t, "kubernetes/every-call") },
		"nil-option": func(t *testing.T) { Start(t, nil, Old("frobber@1.0"), New("frobber@1.1")) },
		"file-twice": func(t *testing.T) { start(t).RunFile(t, "kubernetes/every-call", "kubernetes/every-call") },
		"bad-name": func(t *testing.T) {
			// bad-name:
			start(t).Run(t, Scenario("My Field/../x"))
		},
		"no-lines": func(t *testing.T) {
			// no-lines:
			start(t).Run(t, Scenario("no-lines").Object("gadget", Treated(gadget(1))))
		},
		"zero": func(t *testing.T) {
			var s ScenarioSpec
			s.Edit(func(m *scenarios.Scenario) { m.Name = "zero" })
			s.Object("gadget", Treated(gadget(1)))
			s.Create("gadget")
			start(t).Run(t, &s)
		},
	} {
		t.Run(name, run)
	}
	for name, change := range changes() {
		t.Run(name, func(t *testing.T) {
			s := myField()
			change(s)
			start(t).Run(t, s)
		})
	}
	t.Run("edited", func(t *testing.T) {
		// edited:
		s := Scenario("edited").Edit(func(m *scenarios.Scenario) {
			m.Play = append(m.Play, scenarios.Line{Get: "gizmo"})
		})
		start(t).Run(t, s)
	})
}

// changes make the right scenario wrong.
func changes() map[string]func(s *ScenarioSpec) {
	return map[string]func(s *ScenarioSpec){
		"line": func(s *ScenarioSpec) {
			// line:
			s.Touch("gadget").
				Clients("old-tped")
		},
		"then": func(s *ScenarioSpec) {
			s.Touch("gadget").Then(func(then *Lines) {
				// then:
				then.Get("gizmo")
			})
		},
		"object": func(s *ScenarioSpec) {
			// object:
			s.Object("gizmo", Treated([]byte("kind: Gadget\napiVersion: 7\n")))
		},
		"expectation": func(s *ScenarioSpec) {
			s.Expect(
				// expectation:
				Impact("nothing-is-lost"),
			)
		},
		"nil-form": func(s *ScenarioSpec) {
			// nil-form:
			s.Object("x", nil)
		},
		"nil-then": func(s *ScenarioSpec) {
			// nil-then:
			s.Touch("gadget").Then(nil)
		},
		"count": func(s *ScenarioSpec) {
			// count:
			s.Expect(Impact(CheckNothingLost).Count(0))
		},
		"object-twice": func(s *ScenarioSpec) {
			// object-twice:
			s.Object("gadget", Treated(gadget(1)))
		},
		"unfit": func(s *ScenarioSpec) {
			// unfit:
			s.Touch("gadget").Clients(OldTyped, Dynamic).Verbs(VerbPut, VerbApply)
		},
	}
}
