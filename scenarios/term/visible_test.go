package term

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestVisible: what a server says in several lines is read as one; what acts is shown as
// its code point, beside a line break too.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"spec: Forbidden\n@@ -1 +1 @@\n-     \"A\": [\n": `spec: Forbidden @@ -1 +1 @@ -     "A": [ `,
		"one\r\n\ttwo\n\n\nthree":                        "one two three",
		"one\rtwo":                                       `one\u000dtwo`,
		"one\ttwo":                                       `one\u0009two`,
		"\x1b[31m\nred\u202e\n\x00":                      `\u001b[31m red\u202e \u0000`,
		"one\u2028two":                                   `one\u2028two`,
		"no UTF-8: \xff\n":                               `no UTF-8: \xff `,
	} {
		if got := Visible(text); got != want {
			t.Errorf("visible(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestVisibleLines: the lines of an error stay, and none of them is a command of a CI runner.
func TestVisibleLines(t *testing.T) {
	for text, want := range map[string]string{
		"a.go:1\n\tx := \x1b[31m1\r\n": "a.go:1\n\tx := \\u001b[31m1\n",
		"one\n  ::error::two":          "one\n  \\u003a:error::two",
		"##[group]x":                   "\\u0023#[group]x",
		"one ::error:: two\n: three":   "one ::error:: two\n: three",
	} {
		if got := VisibleLines(text); got != want {
			t.Errorf("VisibleLines(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestVisibleJSON: a document means the same with escapes, and has no character that acts; one without such stays.
func TestVisibleJSON(t *testing.T) {
	const text = "\u009b31m \u202eevil\u2066 \x7f \U000e0001 \ufffe é 漢 \t\n\x1b"
	document, err := json.MarshalIndent(map[string]string{"a": text, text: "b"}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	shown := VisibleJSON(document)
	var got map[string]string
	if err := json.Unmarshal(shown, &got); err != nil || got["a"] != text || got[text] != "b" {
		t.Errorf("%s: %v", shown, err)
	}
	if strings.ContainsFunc(strings.ReplaceAll(string(shown), "\n", ""), acts) || !strings.Contains(string(shown), "é 漢") {
		t.Errorf("%s", shown)
	}
	if plain := `{"a":"é"}` + "\n"; string(VisibleJSON([]byte(plain))) != plain {
		t.Error(plain)
	}
}

// TestJSONForYAML: what a JSON document means is what a YAML parser reads. Near twins: what YAML takes as it is, and a
// document that has nothing to escape.
func TestJSONForYAML(t *testing.T) {
	const text = "\u009b31m\u0085next \u202eevil\u2066 \x7f\ufeff \U000e0001 \U0001f980 \ufffe \uffff é 漢 \ue000 \u2028 \t\n\x1b\x00"
	document, err := json.Marshal(map[string]any{"a": text, text: []string{text}})
	if err != nil {
		t.Fatal(err)
	}
	if back, err := yaml.YAMLToJSON(document); err == nil && string(back) == string(document) {
		t.Error("YAML reads all of JSON: nothing needs an escape")
	}
	var got map[string]any
	if err := yaml.Unmarshal(JSONForYAML(document), &got); err != nil {
		t.Fatal(err)
	}
	if list, _ := got[text].([]any); got["a"] != text || len(list) != 1 || list[0] != text {
		t.Errorf("%q", got)
	}
	const escaped = `{"a":"\ud83e\udd80 \ud83e\udd80\u0041 \\ud83e \ud83e \" \\"}` // halves, also of none, and a backslash before them
	var want map[string]any
	if err := errors.Join(json.Unmarshal([]byte(escaped), &want), yaml.Unmarshal(JSONForYAML([]byte(escaped)), &got)); err != nil || got["a"] != want["a"] {
		t.Errorf("%q, want %q: %v", got["a"], want["a"], err)
	}
	if plain := `{"a":"é 🦀"}`; string(JSONForYAML([]byte(plain))) != plain {
		t.Error(plain)
	}
}
