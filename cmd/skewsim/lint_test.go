package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/skewsim/skewsim/sim/lint"
)

// TestFrobberLintServers asks real servers of Frobber: a release that says of its new field
// that it is alpha, the one that does not, and one whose new field is stable at once.
func TestFrobberLintServers(t *testing.T) {
	withFrobber(t)
	stable := filepath.Join(t.TempDir(), "stable-fields.txt")
	writeText(t, stable, "com.example.frobbing.*.FrobberSpec.shine it does what the abandoned glow was tried for\n")
	for name, c := range map[string]struct {
		args   []string
		code   int
		fields []string
		last   string
	}{
		"marked": {[]string{"frobber@1.20", "--since", "frobber@1.19"}, ExitExpected, nil,
			"frobber@1.20 (v1.20.0): 203 fields, 3 of them with a lifecycle, 0 excused: 0 findings"},
		"unmarked": {[]string{"frobber@1.20+unmarked", "--since", "frobber@1.19"}, ExitDiffers, []string{
			"com.example.frobbing.v5.FrobberSpec.glow: unmarked", "com.example.frobbing.v6.FrobberSpec.glow: unmarked", "com.example.frobbing.v7beta1.FrobberSpec.glow: unmarked",
		}, "frobber@1.20+unmarked (v1.20.0+unmarked): 203 fields, 0 of them with a lifecycle, 0 excused: 3 findings"},
		"excused": {[]string{"frobber@1.22", "--since", "frobber@1.21", "--exceptions", stable}, ExitExpected, nil,
			"frobber@1.22 (v1.22.0): 203 fields, 0 of them with a lifecycle, 3 excused: 0 findings"},
		"a version that is off": {[]string{"frobber@1.28"}, ExitExpected, []string{"not checked: unmarked, dropped, gone, early"},
			"frobber@1.28 (v1.28.0): 249 fields, 1 of them with a lifecycle, 0 excused: 0 findings"},
		"gone at once": {[]string{"frobber@1.26+atonce", "--since", "frobber@1.25"}, ExitDiffers, []string{
			"com.example.frobbing.v5.FrobberSpec.alphaSpin: gone", "com.example.frobbing.v5.FrobberSpec.spin: unmarked",
			"com.example.frobbing.v6.FrobberSpec.alphaSpin: gone", "com.example.frobbing.v6.FrobberSpec.spin: unmarked",
			"com.example.frobbing.v7beta1.FrobberSpec.alphaSpin: gone", "com.example.frobbing.v7beta1.FrobberSpec.spin: unmarked",
		}, "frobber@1.26+atonce (v1.26.0+atonce): 209 fields, 0 of them with a lifecycle, 0 excused: 6 findings"},
		"gone when it may": {[]string{"frobber@1.21", "--since", "frobber@1.20", "--exceptions", stable}, ExitExpected, []string{"excuses nothing: com.example.frobbing.*.FrobberSpec.shine"},
			"frobber@1.21 (v1.21.0): 200 fields, 0 of them with a lifecycle, 0 excused: 0 findings"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, _ := linted(t, c.args...)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if code != c.code || lines[len(lines)-1] != c.last || len(lines) != len(c.fields)+1 {
				t.Fatalf("exit code %d, want %d, and %q, after %d lines:\n%s", code, c.code, c.last, len(c.fields), out)
			}
			for i, field := range c.fields {
				if !strings.HasPrefix(lines[i], field) {
					t.Errorf("%s: want %s", lines[i], field)
				}
			}
		})
	}
}

// TestLintFiles reads documents, and reports files that are not documents.
func TestLintFiles(t *testing.T) {
	dir := t.TempDir()
	const one = `{"info":{"version":"VERSION"},"components":{"schemas":{"a.Widget":{"properties":{"x":{},"y":{"x-kubernetes-api-lifecycle":{"w":{"minVersion":"v1.3","status":"alpha"}}}}}}}}`
	writeText(t, filepath.Join(dir, "one.json"), strings.ReplaceAll(one, "VERSION", "v1.2.0"))
	writeText(t, filepath.Join(dir, "notes.txt"), "no document")
	code, out, _ := linted(t, dir, "-o", "json")
	var r lint.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != ExitDiffers {
		t.Fatalf("%d %s: %v", code, out, err)
	}
	want := lint.Finding{Field: "a.Widget.y", Rule: "release", Problem: "v1.3 is no release that there was when v1.2.0 was made"}
	if len(r.Findings) != 1 || r.Findings[0] != want || r.Fields != 2 || r.Marked != 1 || len(r.Unchecked) != 2 {
		t.Errorf("%+v", r)
	}
	writeText(t, filepath.Join(dir, "one.json"), strings.ReplaceAll(one, "VERSION", "unversioned"))
	if code, out, _ := linted(t, filepath.Join(dir, "one.json")); code != ExitExpected || !strings.Contains(out, "not checked: release: ") {
		t.Errorf("%d %s", code, out)
	}
	writeText(t, filepath.Join(dir, "two.json"), "{}")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{dir}, dir + ": two.json: openapi: the document has no components"},
		{[]string{t.TempDir()}, "has no *.json: name a folder with OpenAPI v3 documents"},
		{[]string{"nowhere"}, "nor is there such a file or folder"},
		{[]string{dir, "-o", "yaml"}, `--output "yaml": not a format (text, json)`},
		{[]string{dir, "--timeout", "0s"}, "--timeout 0s: must be greater than 0"},
		{[]string{dir, "--exceptions", "x"}, "--exceptions: are of new fields, and without --since no field is new"},
		{[]string{dir, "--since", dir, "--exceptions", filepath.Join(dir, "none")}, "no such file"},
		{nil, "one release, such as frobber@1.20"},
	} {
		code, _, errors := linted(t, c.args...)
		if code != ExitUsage || !strings.Contains(errors, c.want) {
			t.Errorf("%v: exit code %d, %s: want %s", c.args, code, errors, c.want)
		}
	}
}

// TestLintOrder: the release before is the older one, and of the same server.
func TestLintOrder(t *testing.T) {
	dir := t.TempDir()
	const one = `{"info":{"version":"VERSION"},"components":{"schemas":{"a.Widget":{"properties":{"x":{}}}}}}`
	older, newer := filepath.Join(dir, "older.json"), filepath.Join(dir, "newer.json")
	writeText(t, older, strings.ReplaceAll(one, "VERSION", "v1.2.0"))
	writeText(t, newer, strings.ReplaceAll(one, "VERSION", "v1.3.0"))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{newer, "--since", older}, ExitExpected, ""},
		{[]string{older, "--since", older}, ExitExpected, ""},
		{[]string{older, "--since", newer}, ExitUsage, "--since: the old release v1.3.0 is newer than the new one v1.2.0: swap them"},
		{[]string{"frobber@1.19", "--since", "frobber@1.20"}, ExitUsage, "--since: the old release 1.20 is newer than the new one 1.19: swap them"},
		{[]string{"frobber@1.19", "--since", "kube-apiserver@v1.36.3"}, ExitUsage, "the releases of a pair are of one component"},
	} {
		code, _, errors := linted(t, c.args...)
		if code != c.code || !strings.Contains(errors, c.want) {
			t.Errorf("%v: exit code %d, %s: want %s", c.args, code, errors, c.want)
		}
	}
}

// TestLintRegularFiles: a path that is not a regular file, or a file that is too large, is reported at once.
func TestLintRegularFiles(t *testing.T) {
	const fine = `{"components":{"schemas":{}}}`
	for name, c := range map[string]struct {
		write func(file string) error
		want  string
	}{
		"fine":   {func(file string) error { return os.WriteFile(file, []byte(fine), 0o600) }, ""},
		"pipe":   {func(file string) error { return syscall.Mkfifo(file, 0o600) }, "x.json: not a regular file"},
		"folder": {func(file string) error { return os.Mkdir(file, 0o700) }, "x.json: not a regular file"},
		"huge": {func(file string) error {
			return errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, 100<<30))
		}, "x.json: 102400 MB: no document is that large"},
	} {
		dir := t.TempDir()
		if err := c.write(filepath.Join(dir, "x.json")); err != nil {
			t.Fatal(err)
		}
		want := ExitUsage
		if c.want == "" {
			want = ExitExpected
		}
		code, _, said := linted(t, dir)
		if code != want || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit code %d, %s: want %s", name, code, said, c.want)
		}
	}
}

func writeText(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// linted runs skewsim lint in this process.
func linted(t *testing.T, args ...string) (code int, out, errors string) {
	t.Helper()
	var said, wrong bytes.Buffer
	a := &App{Out: &said, Err: &wrong}
	code = execute(t.Context(), a, append([]string{"lint"}, args...))
	return code, said.String(), wrong.String()
}
