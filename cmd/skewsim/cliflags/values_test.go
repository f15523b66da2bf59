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
	words := again(was, "", nil)
	assert.Equal(t, []string{"--off=false", "--on", "--text a"}, words)
	repeated := flags()
	require.NoError(t, repeated.Parse([]string{words[0], words[1], "--text", "a"}))
	assert.Empty(t, repeated.Args())
	assert.Equal(t, was.Lookup("off").Value.String(), repeated.Lookup("off").Value.String())
	assert.Equal(t, []string{"--on"}, again(was, "", []string{"off", "text"}))
	assert.Equal(t, []string{"--on=false"}, again(flags(), "on", nil), "always there")
}
