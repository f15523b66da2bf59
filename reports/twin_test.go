package reports_test

import (
	"html"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/result"
)

// Every format says that the release was wrong on purpose, and whether that was
// found; none says so of a right release.
func TestTwin(t *testing.T) {
	tells := func(name string, twin *result.Twin) string {
		run := fixedRun(0)
		run.Result.Twin = twin
		return strings.ReplaceAll(html.UnescapeString(write(t, name, run)), "`", "")
	}
	for name, words := range map[string][]string{
		"report.html": {"emptydir-mode+required", "asks for a width"}, "report.md": {"emptydir-mode+required", "asks for a width"},
		"summary.txt": {"emptydir-mode+required", "asks for a width"}, "summary-color.txt": {"emptydir-mode+required", "asks for a width"},
		"junit.xml": {"emptydir-mode+required"}, "result.json": {`"name": "required"`, "asks for a width"},
	} {
		for _, message := range []string{"caught by rule-1: 12 findings", "missed: no finding agrees"} {
			text := tells(name, &result.Twin{Name: "required", About: "1.1 asks for a width.", Caught: message[0] == 'c', Message: message})
			for _, want := range append(words, message) {
				if !strings.Contains(text, want) {
					t.Errorf("%s: does not say %q", name, want)
				}
			}
		}
		if text := tells(name, nil); strings.Contains(text, "on purpose") || strings.Contains(text, `"twin"`) {
			t.Errorf("%s: tells of a twin where there is none", name)
		}
	}
}

// What a scenario's author wrote of a twin is text like any other.
func TestHostileTwin(t *testing.T) {
	run := fixedRun(0)
	run.Result.Twin = &result.Twin{Name: hostile, About: hostile, Message: hostile}
	for name, raw := range map[string]string{"report.html": "<img src=x", "report.md": "\u202e", "summary.txt": "\x1b[31m", "junit.xml": "\u202e"} {
		if strings.Contains(write(t, name, run), raw) && !strings.Contains(write(t, name, fixedRun(0)), raw) {
			t.Errorf("%s: holds %q as it stands", name, raw)
		}
	}
}
