package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// recordedSize is how much of the recorded history is enough to report that the run was
// killed.
const recordedSize = 400 << 10

// TestReportFormats: each format of a recorded run is printed, is the file that report
// writes where there is one, and leaves the run's directory as it was.
func TestReportFormats(t *testing.T) {
	dir := layOut(t, recordedFiles(t, 1<<30))
	before := listing(t, dir)
	printed := map[string]string{}
	for _, format := range reports.FormatWords() {
		code, out, told := called("report", "--format", format, dir)
		require.Equal(t, ExitExpected, code, told)
		require.NotEmpty(t, out)
		printed[format] = out
	}
	assert.Equal(t, before, listing(t, dir))

	code, _, told := called("report", dir)
	require.Equal(t, ExitExpected, code, told)
	for format, name := range map[string]string{"html": "report.html", "markdown": "report.md", "json": "result.json", "junit": "junit.xml"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, string(raw), printed[format], format)
	}
	_, summary, _ := called("judge", dir)
	_, text, _ := called("report", "--format", "text", dir)
	assert.Equal(t, summary, text)
	assert.NotContains(t, printed["text"], "report.html", "the page was not there yet")
	assert.Contains(t, printed["prr"], "###### Were upgrade and rollback tested? Was the upgrade->downgrade->upgrade path tested?\n")
}

// TestReportSeveral: each of several runs has its part; a run that cannot be judged is
// reported, and does not keep the others from being reported.
func TestReportSeveral(t *testing.T) {
	dir := layOut(t, recordedFiles(t, recordedSize))
	empty := t.TempDir()
	for _, format := range []string{"text", "markdown", "junit", "prr"} {
		_, alone, _ := called("report", "--format", format, dir)
		code, out, told := called("report", "--format", format, empty, dir)
		assert.Equal(t, ExitUsage, code)
		assert.Contains(t, told, "holds no history.jsonl")
		if format != "junit" { // which says of several runs where each lies
			assert.Equal(t, strings.TrimSpace(alone), strings.TrimSpace(out), format)
		}
	}
	_, out, _ := called("report", "--format", "text", dir, dir)
	assert.Equal(t, 2, strings.Count(out, "\nchecks\n"))
}

// TestReportOutput: a format goes into a file whole, and none is left where there is
// nothing to write.
func TestReportOutput(t *testing.T) {
	dir, to := layOut(t, recordedFiles(t, recordedSize)), filepath.Join(t.TempDir(), "answers.md")
	code, _, _ := called("report", "--format", "prr", t.TempDir(), "-o", to)
	assert.Equal(t, ExitUsage, code)
	assert.NoFileExists(t, to)
	_, printed, _ := called("report", "--format", "prr", dir)
	code, out, told := called("report", "--format", "prr", dir, "-o", to)
	require.Equal(t, ExitExpected, code, told)
	assert.Empty(t, out)
	raw, err := os.ReadFile(to)
	require.NoError(t, err)
	assert.Equal(t, printed, string(raw))
}

// TestReportCountsOnce: a run that is given twice, or with its copy, is one run of the
// answers, which say so; another run counts.
func TestReportCountsOnce(t *testing.T) {
	dir, same := layOut(t, recordedFiles(t, recordedSize)), layOut(t, recordedFiles(t, recordedSize))
	other := layOut(t, recordedFiles(t, 1<<30))
	_, alone, _ := called("report", "--format", "prr", dir)
	for given, note := range map[string]string{dir: "was given more than once: it counts once", same: "is the same run as"} {
		_, out, _ := called("report", "--format", "prr", dir, given)
		assert.Contains(t, out, note)
		assert.Equal(t, strings.Count(alone, "\n")+1, strings.Count(out, "\n"))
	}
	_, out, _ := called("report", "--format", "prr", dir, other)
	assert.NotContains(t, out, "counts once")
	assert.Equal(t, 2, strings.Count(out, "\n  - repeat with "))
}

// TestReportOutputRefused: what cannot become a file is named as it was given, and
// nothing is left of it.
func TestReportOutputRefused(t *testing.T) {
	dir, at := layOut(t, recordedFiles(t, recordedSize)), t.TempDir()
	for _, output := range []string{at, at + "/", filepath.Join(at, "none", "answers.md"), filepath.Join(dir, "history.jsonl", "answers.md")} {
		code, _, told := called("report", "--format", "prr", dir, "-o", output)
		assert.Equal(t, ExitUsage, code, told)
		assert.Contains(t, told, fmt.Sprintf("--output %q: ", output))
		assert.Equal(t, 1, strings.Count(told, "--output"), told)
	}
	assert.Empty(t, listing(t, at))
}

// TestMergeMoved: runs and page can go elsewhere together, for links are relative; a
// directory given through a symbolic link is the one behind it.
func TestMergeMoved(t *testing.T) {
	at := t.TempDir()
	run := filepath.Join(at, "shard #1", "run?")
	require.NoError(t, os.MkdirAll(run, 0o700))
	raw, err := json.Marshal(result.Result{SchemaVersion: result.SchemaVersion, Scenario: "x", Releases: []string{"v1", "v2"}, Verdict: "pass", Checks: []result.Check{{Name: "nothing-lost", Verdict: "pass", Judged: 1}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(run, rundir.ResultFile), raw, 0o600))
	require.NoError(t, os.WriteFile(screen.ReportPath(run), nil, 0o600))
	require.NoError(t, os.Symlink(run, filepath.Join(at, "link")))
	code, out, told := called("report", "merge", at, filepath.Join(at, "link"), "-o", filepath.Join(at, "pages", "all"))
	require.Equal(t, ExitExpected, code, told)
	assert.Contains(t, out, "the one run passed")
	page, err := os.ReadFile(filepath.Join(at, "pages", "all", reports.MergedPage))
	require.NoError(t, err)
	assert.Contains(t, string(page), `href="../../shard%20%231/run%3F/report.html"`)
	assert.NotContains(t, string(page), at)

	require.NoError(t, os.Symlink(at, filepath.Join(at, "above")))
	code, out, told = called("report", "merge", filepath.Join(at, "above"), "-o", filepath.Join(at, "pages", "again"))
	require.Equal(t, ExitExpected, code, told)
	assert.Contains(t, out, "the one run passed", "a link to a directory of runs includes them")
}

// TestReportJUnitTellsAll: a run that cannot be reported is named, wherever it is in
// the list, and does not keep the others from being written.
func TestReportJUnitTellsAll(t *testing.T) {
	empty, hollow := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(hollow, rundir.ChainFile), []byte(`{"releases": ["frobber@1.0", "frobber@1.1"]}`), 0o600))
	for _, dirs := range [][]string{{empty, hollow}, {hollow, empty}} {
		code, out, told := called(append([]string{"report", "--format", "junit"}, dirs...)...)
		assert.NotEqual(t, ExitExpected, code)
		assert.Contains(t, told, empty)
		assert.Contains(t, told, hollow)
		assert.Contains(t, out, "<testsuites")
	}
}

// TestReportJUnitImpacts: junit.xml, in a directory and printed, follows --impacts as run's
// does, of one run and of several; what breaks a rule of the expectations fails all the same.
func TestReportJUnitImpacts(t *testing.T) {
	expecting := layOut(t, recordedFiles(t, 1<<30))
	lacking := layOut(t, withoutExpect(t, recordedFiles(t, 1<<30)))
	failing := layOut(t, withoutLines(t, recordedFiles(t, 1<<30)))
	for _, c := range []struct {
		dirs  []string
		flag  string
		fails bool
	}{
		{[]string{expecting}, "fail", false},
		{[]string{lacking}, "fail", true},
		{[]string{lacking}, "allow", false},
		{[]string{lacking, expecting}, "fail", true},
		{[]string{lacking, expecting}, "allow", false},
		{[]string{failing}, "allow", true},
	} {
		code, out, told := called(append([]string{"report", "--format", "junit", "--impacts", c.flag}, c.dirs...)...)
		require.Equal(t, ExitExpected, code, told)
		assert.Equal(t, c.fails, strings.Contains(out, "<failure"), "%v", c)
		code, _, told = called(append([]string{"report", "--impacts", c.flag}, c.dirs...)...)
		require.Equal(t, ExitExpected, code, told)
		raw, err := os.ReadFile(filepath.Join(c.dirs[0], "junit.xml"))
		require.NoError(t, err)
		assert.Equal(t, c.fails, strings.Contains(string(raw), "<failure"), "%v", c)
	}
	code, _, _ := called("report", "--impacts", "perhaps", lacking)
	assert.Equal(t, ExitUsage, code)
}

// withoutExpect is a recorded run of a scenario without the key expect, and withoutLines
// one whose expect is empty.
func withoutExpect(t *testing.T, files map[string][]byte) map[string][]byte {
	t.Helper()
	return changedPlan(t, files, func(plan map[string]any) { plan["expect"], plan["noExpect"] = nil, true })
}

func withoutLines(t *testing.T, files map[string][]byte) map[string][]byte {
	t.Helper()
	return changedPlan(t, files, func(plan map[string]any) { plan["expect"] = nil })
}

func changedPlan(t *testing.T, files map[string][]byte, change func(plan map[string]any)) map[string][]byte {
	t.Helper()
	first, rest, _ := bytes.Cut(files["history.jsonl"], []byte("\n"))
	var line map[string]any
	require.NoError(t, json.Unmarshal(first, &line))
	change(line["header"].(map[string]any)["plan"].(map[string]any))
	first, err := json.Marshal(line)
	require.NoError(t, err)
	files["history.jsonl"] = slices.Concat(first, []byte("\n"), rest)
	return files
}

// listing returns the files of a directory with their sizes.
func listing(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
