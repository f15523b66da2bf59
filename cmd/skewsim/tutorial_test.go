package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
	"github.com/skewsim/skewsim/scenarios/load"
)

const tutorial = "../../docs/tutorial.md"

// fenced gives the blocks of a document that are in a language.
func fenced(text, language string) (all []string) {
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// commandProblem says why a line of a document cannot be typed, "" for nothing.
func commandProblem(line string) string {
	line, _, _ = strings.Cut(line, " #")
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return ""
	case words[0] == "make":
		text, err := os.ReadFile("../../Makefile")
		if err != nil {
			return err.Error()
		}
		if len(words) < 2 || !regexp.MustCompile(`(?m)^`+words[1]+`:`).Match(text) {
			return "no such target"
		}
		return ""
	case words[0] == "bin/skewsim":
		return skewsimProblem(words[1:])
	case words[0] == "bin/frobber-apiserver":
		if out, err := exec.Command("frobber-apiserver", words[1:]...).CombinedOutput(); err != nil {
			return string(out)
		}
		return ""
	}
	return "not a command of ours"
}

// skewsimProblem looks for the command, its flags, and the scenarios it names.
func skewsimProblem(words []string) string {
	c, rest, err := newRoot(&app.App{}).Find(words)
	if err != nil {
		return err.Error()
	}
	if err := c.ParseFlags(rest); err != nil {
		return err.Error()
	}
	args := c.Flags().Args()
	if err := c.ValidateArgs(args); err != nil {
		return err.Error()
	}
	if !slices.Contains([]string{"run", "plan", "validate"}, c.Name()) {
		return ""
	}
	for _, name := range args {
		if strings.HasSuffix(name, ".yaml") {
			name = filepath.Join("..", "..", name)
		}
		if _, err := load.Find(name); err != nil {
			return err.Error()
		}
	}
	return ""
}

// quoteProblem says why a block of YAML is not what its scenario says: its first
// line names the scenario, and the others stand there, line after line.
func quoteProblem(block string) string {
	first, quote, _ := strings.Cut(block, "\n")
	name, found := strings.CutPrefix(first, "# in ")
	if !found {
		return "the first line does not say where it stands"
	}
	text, err := os.ReadFile(filepath.Join("../../scenarios/frobber", name+".yaml"))
	if err != nil {
		return err.Error()
	}
	if !strings.Contains(string(text), quote) {
		return fmt.Sprintf("%s does not say so:\n%s", name, quote)
	}
	return ""
}

// TestFrobberTutorial: each command can be typed, and each quotation stands where it says.
func TestFrobberTutorial(t *testing.T) {
	withFrobber(t)
	text, err := os.ReadFile(tutorial)
	require.NoError(t, err)
	blocks := fenced(string(text), "sh")
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		for _, line := range strings.Split(block, "\n") {
			assert.Empty(t, commandProblem(line), line)
		}
	}
	quotes := fenced(string(text), "yaml")
	require.NotEmpty(t, quotes)
	for _, block := range quotes {
		assert.Empty(t, quoteProblem(block))
	}
}

// TestFrobberTutorialCanFail runs commands with one mistake, and the right ones.
func TestFrobberTutorialCanFail(t *testing.T) {
	withFrobber(t)
	for line, want := range map[string]string{
		"bin/skewsim run frobber/add-field+required": "",
		"bin/skewsim run frobber/add-field+requird":  `unknown mutant "requird"`,
		"bin/skewsim run frobber/ad-field":           `neither a file that ends in .yaml nor in the catalogue`,
		"bin/skewsim rum frobber/add-field":          "unknown command",
		"bin/skewsim list --mutant":                  "unknown flag: --mutant",
		"bin/skewsim list everything":                "no arguments",
		"bin/skewsim validate scenarios/none.yaml":   "no such file",
		"bin/frobber-apiserver releases -o tall":     "not a format",
		"make built":                                 "no such target",
		"make build":                                 "",
		"rm -rf bin":                                 "not a command of ours",
	} {
		got := commandProblem(line)
		assert.Equal(t, want == "", got == "", "%s: %s", line, got)
		assert.Contains(t, got, want, line)
	}
	assert.Empty(t, quoteProblem("# in gate-off\n  pair: frobber@1.2..1.2\n"))
	assert.Contains(t, quoteProblem("# in gate-off\n  pair: frobber@1.2..1.3\n"), "does not say so")
	assert.Contains(t, quoteProblem("  pair: frobber@1.2..1.2\n"), "does not say where it stands")
}

// TestDocumentsAreLinked: what a document of ours links to in the repository is there.
func TestDocumentsAreLinked(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, file := range append(documents, "../../README.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			_, err := os.Stat(filepath.Join(filepath.Dir(file), m[1]))
			assert.NoError(t, err, file)
		}
	}
}
