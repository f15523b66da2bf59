package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
)

// fenced gives the blocks of a document that are in a language.
func fenced(text, language string) (all []string) {
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// ours is a command of ours at the beginning of a line, also where a variable is set for it.
var ours = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*(make|(?:\S*bin/)?skewsim) (.*)$`)

// commandProblem says why a line of a document cannot be typed, "" for nothing, and for
// commands of others.
func commandProblem(line string) string {
	line, _, _ = strings.Cut(line, " #")
	m := ours.FindStringSubmatch(strings.TrimPrefix(strings.TrimSpace(line), "- run: "))
	if m == nil {
		return ""
	}
	words := strings.Fields(m[2])
	if m[1] == "make" {
		return makeProblem(words)
	}
	return skewsimProblem(words)
}

func makeProblem(words []string) string {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		return err.Error()
	}
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return strings.Contains(word, "=") })
	if len(words) > 0 && words[0] == "-C" {
		words = words[2:]
	}
	if len(words) == 0 || !regexp.MustCompile(`(?m)^`+words[0]+`:`).Match(text) {
		return "no such target"
	}
	return ""
}

// skewsimProblem looks for the command, its flags, and the scenarios of the catalogue that it
// names: files are the reader's own.
func skewsimProblem(words []string) string {
	for i := range words {
		words[i] = strings.Trim(words[i], `'"`)
	}
	c, rest, err := newRoot(&App{}).Find(words)
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
		if strings.HasSuffix(name, ".yaml") || strings.ContainsAny(name, "*$") || regexp.MustCompile(`^[A-Z]+(\.\.\.)?$`).MatchString(name) {
			continue
		}
		if _, err := load.Find(name); err != nil {
			return err.Error()
		}
	}
	return ""
}

// TestCommandsOfPages: each command of ours that the README or a page shows can be typed.
func TestCommandsOfPages(t *testing.T) {
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, block := range append(fenced(string(text), "sh"), fenced(string(text), "yaml")...) {
			for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", "")) {
				assert.Empty(t, commandProblem(line), "%s: %s", file, line)
			}
		}
	}
}

func TestCommandsOfPagesCanFail(t *testing.T) {
	for line, want := range map[string]string{
		"bin/skewsim run frobber/add-field+required": "",
		"skewsim run frobber/add-field+requird":      `unknown mutant "requird"`,
		"skewsim run frobber/ad-field":               `neither a file that ends in .yaml nor in the catalogue`,
		"skewsim run my-field.yaml 'frobber/*'":      "",
		"- run: skewsim rum frobber/add-field":       "unknown command",
		"skewsim list --mutant":                      "unknown flag: --mutant",
		"X=1 skewsim list everything":                "no arguments",
		"skewsim list # everything":                  "",
		"make built":                                 "no such target",
		"make -C skewsim build":                      "",
		"make mutate SHARD=2/8":                      "",
		"rm -rf bin":                                 "",
	} {
		got := commandProblem(line)
		assert.Equal(t, want == "", got == "", "%s: %s", line, got)
		assert.Contains(t, got, want, line)
	}
}
