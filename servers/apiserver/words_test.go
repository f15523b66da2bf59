package apiserver

import (
	"fmt"
	"strings"
	"testing"
)

func TestLastWords(t *testing.T) {
	const noise = "I1120 20:18:19.794240    3619 options.go:261] external host was not specified, using 127.0.0.1\n" +
		"E1120 20:18:19.800000    3619 options.go:205] The manifest file is empty, ignoring.\n"
	var many strings.Builder
	for i := range 20 {
		fmt.Fprintf(&many, "E1120 20:18:19.800000    3619 a.go:1] trouble %d\n", i)
	}
	for _, c := range []struct{ name, log, want string }{
		{"the command's error", noise + `E1120 20:18:19.423161    3574 run.go:72] "command failed" err="unrecognized feature gate: \"X\""`,
			`unrecognized feature gate: "X"`},
		{"the command's error, cut", noise + `E1120 20:18:19.423161    3574 run.go:72] "command failed" err="[PodGroup is ena ...`,
			`"[PodGroup is ena ...`},
		{"lower case", noise + "error: release 1.1 has no gate X\n" + noise, "error: release 1.1 has no gate X"},
		{"flag", "Error: unknown flag: --no-such-flag", "Error: unknown flag: --no-such-flag"},
		{"fatal", noise + "F1120 20:18:19.423161    3574 hooks.go:204] PostStartHook \"x\" failed: timed out\ngoroutine 1 [running]:",
			`PostStartHook "x" failed: timed out`},
		{"panic", noise + "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n" + noise, "panic: boom"},
		{"a panic of several lines", "panic: runtime error: nil\n[signal SIGSEGV: segmentation violation]\n\ngoroutine 1 [running]:", "panic: runtime error: nil|[signal SIGSEGV: segmentation violation]"},
		{"errors only", noise + "I1120 20:18:19.794240    3619 a.go:1] bye", "The manifest file is empty, ignoring."},
		{"many errors", many.String(), "trouble 12|trouble 13|trouble 14|trouble 15|trouble 16|trouble 17|trouble 18|trouble 19"},
		{"nothing that explains", "one\ntwo", "one|two"},
		{"nothing", "", ""},
	} {
		var lines []string
		if c.log != "" {
			lines = strings.Split(strings.TrimSpace(c.log), "\n")
		}
		if got := strings.Join(lastWords(lines), "|"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
