package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/frobber/train"
)

var update = flag.Bool("update", false, "write the table of releases into docs/explanation/frobber.md")

// run returns the output of a command line.
func run(args ...string) (string, error) {
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.Execute()
	return out.String(), err
}

func TestReleasesAreListed(t *testing.T) {
	out, err := run("releases")
	require.NoError(t, err)
	for _, name := range train.Names() {
		assert.Contains(t, out, name)
		for _, mutant := range train.Mutants(name) {
			assert.Contains(t, out, " "+name+"+"+mutant)
		}
	}
	assert.Contains(t, out, " 1.6+undoes 1.6+extra\n", "variants follow the mutants")

	out, err = run("releases", "-o", "wide")
	require.NoError(t, err)
	for _, line := range []string{
		`(?m)^1\.6 +right +makes param plural`, `(?m)^1\.6\+alone +wrong +accepts params without param$`, `(?m)^1\.6\+extra +right +a correct variant`,
	} {
		assert.Regexp(t, line, out)
	}
	names, err := run("releases")
	require.NoError(t, err)
	assert.Equal(t, len(strings.Fields(names))+1, strings.Count(out, "\n"), "a line for each, and a heading")

	_, err = run("releases", "-o", "yaml")
	assert.EqualError(t, err, `--output "yaml": not a format (name, wide)`)
}

// TestReleasesPage compares the table of docs/explanation/frobber.md with the train.
func TestReleasesPage(t *testing.T) {
	const file = "../../../docs/explanation/frobber.md"
	const begin, end = "<!-- releases: written by go test ./servers/frobber/cli -update -->\n", "<!-- end of releases -->"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "the page has no releases")
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "the page has no end of releases")
	want := before + begin + "\n" + releaseTable() + "\n" + end + after
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text), "go test ./servers/frobber/cli -update rewrites it")
}

// TestReadme: the README counts the releases and the mutants.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	mutants := 0
	for _, name := range train.Names() {
		mutants += len(train.Mutants(name))
	}
	assert.Contains(t, string(text), fmt.Sprintf("has %d releases and %d mutants", len(train.Names()), mutants))
}

// releaseTable returns the page's table of releases.
func releaseTable() string {
	var b strings.Builder
	b.WriteString("| release | the edit | its mutants, the same edit with a mistake |\n| --- | --- | --- |\n")
	for _, name := range train.Names() {
		var mutants []string
		for _, mutant := range train.Mutants(name) {
			mutants = append(mutants, "`"+mutant+"`")
		}
		fmt.Fprintf(&b, "| `frobber@%s` | %s | %s |\n", name, train.About(name), strings.Join(mutants, " "))
		for _, variant := range train.Variants(name) {
			fmt.Fprintf(&b, "| `frobber@%s+%s` | %s | |\n", name, variant, train.About(name+"+"+variant))
		}
	}
	return b.String()
}

// TestNewestIsTheDefault: the newest release is the default, and no server starts as a release
// that does not exist.
func TestNewestIsTheDefault(t *testing.T) {
	names := train.Names()
	assert.Equal(t, names[len(names)-1], newRoot().Flag("release").DefValue)
	_, err := run("--release=0.9")
	require.ErrorContains(t, err, `release "0.9": not on the train (releases: 1.0, `)
	_, err = run("serve")
	require.ErrorContains(t, err, `unknown command "serve"`)
}
