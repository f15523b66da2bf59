package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
)

// TestRepeatNamesEveryFlag: the line that repeats a sweep has each flag that is given, whatever flags
// there will be, but for the directory, and gives each the same value. A flag that is not given is not there.
func TestRepeatNamesEveryFlag(t *testing.T) {
	for _, command := range []func(*App) *cobra.Command{newSweep, newInit} {
		names := []string{}
		command(&App{}).Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		for _, name := range names {
			c := command(&App{})
			value := map[string]string{
				"bool": "true", "int64": "7", "int": "7", "duration": "9m0s", "stringToString": "A=true",
			}[c.Flags().Lookup(name).Value.Type()]
			if value == "" {
				value = "some-word"
			}
			require.NoError(t, c.ParseFlags([]string{"--" + name + "=" + value}), name)
			line := repeatSweep(c, []string{"crd:a..crd:b"})
			if name == "server" { // of the builds: see engine.WithServer
				line = engine.WithServer(line, servers.Build{Installs: &servers.Installation{Server: servers.Build{Reference: value}}})
			}
			words := strings.Fields(line)
			if name == "out" {
				assert.NotContains(t, line, "--")
				continue
			}
			assert.Contains(t, line, "--"+name, "%s: it is forgotten", c.Name())
			again := command(&App{})
			require.NoError(t, again.ParseFlags(words[len(strings.Fields(c.CommandPath())):]), line)
			assert.Equal(t, c.Flags().Lookup(name).Value.String(), again.Flags().Lookup(name).Value.String(), line)
			again.Flags().VisitAll(func(f *pflag.Flag) { assert.Equal(t, f.Name == name, f.Changed, "%s: %s", line, f.Name) })
		}
	}
	assert.Equal(t, "skewsim sweep a..b", engine.WithServer("skewsim sweep a..b", servers.Build{}), "definitions alone have a server of this kind")
	root := newRoot(&App{})
	c, _, err := root.Find([]string{"sweep"})
	require.NoError(t, err)
	assert.Equal(t, "skewsim sweep 'a b'", cliflags.Repeat(c, []string{"a b"}, ""))
}
