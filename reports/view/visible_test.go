package view

import "testing"

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
