package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// manDir is where TestReference writes man pages, for make release.
var manDir = flag.String("man", "", "write man pages into this directory")

// manPage returns the man page with the help of a command.
func manPage(c *cobra.Command, help string) string {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	text := strings.NewReplacer(`\`, `\e`, "\n.", "\n\\&.", "\n'", "\n\\&'", "-", `\-`).Replace("\n" + help)
	return fmt.Sprintf(".TH %q 1 \"\" skewsim skewsim\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf%s.fi\n", strings.ToUpper(name), name, c.Short, text)
}

// referenceDir has a page for each command.
const referenceDir = "../../docs/reference/cli"

// pageName returns the file of a command's page.
func pageName(c *cobra.Command) string {
	return strings.ReplaceAll(c.CommandPath(), " ", "-") + ".md"
}

// pages adds the page of a command, which is its help, and those of the commands below it.
func pages(t *testing.T, c *cobra.Command, all map[string]string) {
	t.Helper()
	var help strings.Builder
	c.SetOut(&help)
	c.InitDefaultHelpFlag()
	require.NoError(t, c.Help())
	if *manDir != "" {
		require.NoError(t, os.MkdirAll(*manDir, 0o755))
		name := strings.TrimSuffix(pageName(c), ".md") + ".1"
		require.NoError(t, os.WriteFile(filepath.Join(*manDir, name), []byte(manPage(c, help.String())), 0o644))
	}
	var links []string
	if c.HasParent() {
		links = append(links, fmt.Sprintf("- [%s](%s): %s", c.Parent().CommandPath(), pageName(c.Parent()), c.Parent().Short))
	}
	for _, below := range c.Commands() {
		if !below.IsAvailableCommand() || c.Name() == "completion" { // its commands have the same help, of cobra
			continue
		}
		links = append(links, fmt.Sprintf("- [%s](%s): %s", below.CommandPath(), pageName(below), below.Short))
		pages(t, below, all)
	}
	all[pageName(c)] = fmt.Sprintf("<!-- Generated: go test ./cmd/skewsim -run TestReference -update -->\n\n# %s\n\n%s.\n\n```text\n%s```\n\n## See also\n\n%s\n",
		c.CommandPath(), c.Short, help.String(), strings.Join(links, "\n"))
}

// TestReference: docs/reference/cli has a page for each command, and no other. With -man it writes
// man pages too.
func TestReference(t *testing.T) {
	root := newRoot(&App{Out: io.Discard, Err: io.Discard})
	root.InitDefaultCompletionCmd()
	want := map[string]string{}
	pages(t, root, want)
	if *update {
		require.NoError(t, os.RemoveAll(referenceDir))
		require.NoError(t, os.MkdirAll(referenceDir, 0o755))
		for name, text := range want {
			require.NoError(t, os.WriteFile(filepath.Join(referenceDir, name), []byte(text), 0o644))
		}
	}
	files, err := os.ReadDir(referenceDir)
	require.NoError(t, err)
	assert.Len(t, files, len(want))
	for name, text := range want {
		got, _ := os.ReadFile(filepath.Join(referenceDir, name)) // one that is missing differs
		assert.Equal(t, text, string(got), "%s: if the change is meant, run make update", name)
	}
}
