package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

// outputBlock is a block of a page that shows what a command prints:
//
//	<!-- output of "skewsim run frobber/add-field", lines "^PASS": written by go test ./cmd/skewsim -run TestFrobberOutputs -update -->
//	```text
//	PASS  add-field, v1.0.0 .. v1.1.0, seed 0
//	```
//	<!-- end of output -->
//
// It shows the lines that match, breaks long ones, and has "..." for what it leaves out.
var outputBlock = regexp.MustCompile("(?s)(<!-- output of \"([^\"]*)\", lines \"([^\"]*)\": written by go test ./cmd/skewsim -run (\\w+) -update -->\n```text\n)(.*?)(```\n<!-- end of output -->)")

// width is where the lines of blocks end.
const width = 90

// excerpt returns the lines of an output that match, as a block shows them.
func excerpt(printed string, lines *regexp.Regexp) string {
	var b strings.Builder
	left := false
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, " \n")
		if !lines.MatchString(line) {
			left = left || line != ""
			continue
		}
		if left && b.Len() > 0 {
			b.WriteString("...\n")
		}
		left = false
		b.WriteString(folded(line))
	}
	return b.String()
}

// folded breaks a line between words, and indents what follows. Lines to paste stay as they are.
func folded(line string) string {
	if strings.HasPrefix(line, "- ") {
		return line + "\n"
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "    "
	var b strings.Builder
	for len(line) > width {
		at := strings.LastIndex(line[:width], " ")
		if at <= len(indent) {
			break
		}
		b.WriteString(line[:at] + "\n")
		line = indent + line[at+1:]
	}
	return b.String() + line + "\n"
}

// anyTime replaces what differs between equal runs: times, and how many objects API servers
// have made by themselves.
func anyTime(text string) string {
	text = regexp.MustCompile(`[0-9]+ of [0-9]+\s+objects`).ReplaceAllString(text, "OBJECTS")
	return regexp.MustCompile(`[0-9.]+ ?s\b`).ReplaceAllString(text, "TIME")
}

// documents returns the files with the README and the pages of docs.
func documents(t *testing.T) []string {
	t.Helper()
	all := []string{"../../README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		all = append(all, found...)
	}
	for i, file := range all {
		full, err := filepath.Abs(file)
		require.NoError(t, err)
		all[i] = full
	}
	return all
}

// userFiles writes the files that a page has its reader write: blocks whose first line is a
// comment with the file's name.
func userFiles(t *testing.T, text string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```yaml\n# (\\S+\\.yaml)[^\n]*\n(.*?)```").FindAllStringSubmatch(text, -1) {
		require.NoError(t, os.MkdirAll(filepath.Dir(m[1]), 0o755))
		require.NoError(t, os.WriteFile(m[1], []byte(m[2]), 0o600))
	}
}

// wantOutputs executes the commands whose outputs a page shows, in their order and in one
// directory, if they are for this test.
func wantOutputs(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	text := string(raw)
	t.Chdir(t.TempDir())
	userFiles(t, text)
	name, _, _ := strings.Cut(t.Name(), "/")
	written := outputBlock.ReplaceAllStringFunc(text, func(block string) string {
		m := outputBlock.FindStringSubmatch(block)
		if m[4] != name {
			return block
		}
		assert.Contains(t, strings.ReplaceAll(text, m[1], ""), m[2], "the page does not show the command")
		args := strings.Fields(m[2])
		require.Equal(t, "skewsim", args[0])
		code, out, told := called(args[1:]...)
		assert.Contains(t, []int{ExitExpected, ExitDiffers}, code, "%s: %s%s", m[2], out, told)
		shown := excerpt(out, regexp.MustCompile(m[3]))
		assert.NotEmpty(t, shown, "%s prints no such line:\n%s", m[2], out)
		if !*update {
			assert.Equal(t, anyTime(shown), anyTime(m[5]), "%s: %s: run the test with -update", filepath.Base(file), m[2])
		}
		return m[1] + shown + m[6]
	})
	if *update && written != text {
		require.NoError(t, os.WriteFile(file, []byte(written), 0o644))
	}
}

// eachPage runs a subtest for each page that shows an output for this test.
func eachPage(t *testing.T) {
	played := 0
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range outputBlock.FindAllStringSubmatch(string(text), -1) {
			if m[4] == t.Name() {
				played++
				t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) { wantOutputs(t, file) })
				break
			}
		}
	}
	assert.Positive(t, played, "no page shows an output")
}

// TestFrobberOutputs: what pages show of commands on Frobber is what they print.
func TestFrobberOutputs(t *testing.T) {
	withFrobber(t)
	eachPage(t)
}

// TestKubernetesOutputs: what pages show of commands on kube-apiservers is what they print.
func TestKubernetesOutputs(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	eachPage(t)
}

// TestNightlyOutputs: what pages show of commands on releases that no other tier builds is what they print.
func TestNightlyOutputs(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	tiers.NeedFirst(t)
	eachPage(t)
}

// TestOutputBlocks: each block that says it is written by a test has a form that a test finds.
func TestOutputBlocks(t *testing.T) {
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, strings.Count(string(text), "<!-- output"), len(outputBlock.FindAllString(string(text), -1)), file)
		for _, m := range outputBlock.FindAllStringSubmatch(string(text), -1) {
			assert.Contains(t, []string{"TestFrobberOutputs", "TestKubernetesOutputs", "TestNightlyOutputs"}, m[4], file)
		}
	}
}

func TestExcerpt(t *testing.T) {
	printed := "one 0.5s\n\ntwo\nthree 17 s\n" + "  " + strings.Repeat("word ", 30) + "\n"
	shown := excerpt(printed, regexp.MustCompile("one|three|word"))
	assert.True(t, strings.HasPrefix(anyTime(shown), "one TIME\n...\nthree TIME\n  word"), shown)
	for line := range strings.Lines(shown) {
		assert.LessOrEqual(t, len(line), width+1)
	}
	assert.Contains(t, shown, "\n      word")
	assert.Empty(t, excerpt(printed, regexp.MustCompile("four")))
	page := fmt.Sprintf("<!-- output of %q, lines %q: written by go test ./cmd/skewsim -run TestX -update -->\n```text\nx\n```\n<!-- end of output -->", "skewsim version", "^x")
	assert.Equal(t, []string{"skewsim version", "^x", "TestX", "x\n"}, outputBlock.FindStringSubmatch(page)[2:6])
}

// shownPicture is a picture that a test takes, as a page shows it: ![what it shows](pictures/NAME.png).
var shownPicture = regexp.MustCompile(`!\[([^\]]*(?:\[[^\]]*\][^\]]*)*)\]\([^)]*pictures/[^)]*\.png\)`)

// counted returns what pages say of pictures in figures.
func counted(text string) (found []string) {
	for _, m := range shownPicture.FindAllStringSubmatch(text, -1) {
		if regexp.MustCompile(`[0-9]`).MatchString(m[1]) {
			found = append(found, m[1])
		}
	}
	return found
}

// TestPicturesAreDescribed: what pages say of pictures has no figures. Pictures are taken anew, of
// runs whose counts change, and a test cannot read a picture; the outputs beside them have the counts.
func TestPicturesAreDescribed(t *testing.T) {
	pictures := 0
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Empty(t, counted(string(text)), file)
		pictures += len(shownPicture.FindAllString(string(text), -1))
	}
	assert.Positive(t, pictures)
	assert.Equal(t, []string{"7 refused [1]"}, counted("![7 refused [1]](docs/pictures/a.png) ![none](pictures/b.png) ![2](pictures/c.svg)"))
}
