package cliflags

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAgain: a shell that gets the flags gives a command the same values, and no argument more.
func TestAgain(t *testing.T) {
	flags := func() *pflag.FlagSet {
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.Bool("on", false, "")
		f.Bool("off", true, "")
		f.String("text", "", "")
		return f
	}
	was := flags()
	require.NoError(t, was.Parse([]string{"--on", "--off=false", "--text", "a"}))
	words := Again(was, []string{"on", "off", "text", "absent"}, "")
	assert.Equal(t, []string{"--on", "--off=false", "--text a"}, words)
	again := flags()
	require.NoError(t, again.Parse([]string{words[0], words[1], "--text", "a"}))
	assert.Empty(t, again.Args())
	assert.Equal(t, was.Lookup("off").Value.String(), again.Lookup("off").Value.String())
}
