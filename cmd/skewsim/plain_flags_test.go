package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
)

// TestPlainFlags: every flag of every command that takes a number, a duration or a switch
// says so of a value that is not one, without names of Go's functions.
func TestPlainFlags(t *testing.T) {
	numbers := map[string]bool{"int": true, "int64": true, "float64": true, "duration": true, "bool": true}
	tried := 0
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !numbers[f.Value.Type()] {
				return
			}
			tried++
			for _, value := range []string{"abc", "1.5.2", "99999999999999999999999"} {
				err := c.ParseFlags([]string{"--" + f.Name + "=" + value})
				if err == nil { // a number without an end
					continue
				}
				said := c.FlagErrorFunc()(c, err).Error()
				assert.NotContains(t, said, "strconv", "%s --%s", c.CommandPath(), f.Name)
				assert.NotContains(t, said, "time: ", "%s --%s", c.CommandPath(), f.Name)
				assert.Contains(t, said, "--"+f.Name)
			}
		})
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(newRoot(&App{}))
	assert.Greater(t, tried, 20)
	code, _, said := called("run", "quiet", "--jobs", "abc")
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, said, "whole number")
	_, _, said = called("run", "quiet", "--jobs", "2")
	assert.NotContains(t, said, "whole number", "a right value is taken")
}
