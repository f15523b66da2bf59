package cliflags

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/engine"
)

// TestUsages: of many flags each has its section, once, and hidden ones none; few have one heading.
func TestUsages(t *testing.T) {
	var r engine.Request
	many := pflag.NewFlagSet("", pflag.ContinueOnError)
	Pair(many, &r)
	Chain(many, &r.Chain)
	Options(many, &r.Options)
	Store(many, &r.Store)
	many.Bool("quiet", false, "say less")
	text := Usages(many)
	under := ""
	for line := range strings.Lines(text) {
		if title, ok := strings.CutSuffix(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(line, " ") {
			under = title
		}
		for flag, title := range map[string]string{"--pair": "Releases", "--old-flags": "Servers of the old release", "--through": "Chain of releases", "--fsync": "Store", "--quiet": "Flags"} {
			if strings.HasPrefix(strings.TrimSpace(line), flag+" ") {
				assert.Equal(t, title, under, flag)
			}
		}
	}
	many.VisitAll(func(f *pflag.Flag) {
		assert.Equal(t, !f.Hidden, strings.Contains(text, "--"+f.Name+" "), f.Name)
	})
	few := pflag.NewFlagSet("", pflag.ContinueOnError)
	Store(few, &r.Store)
	assert.True(t, strings.HasPrefix(Usages(few), "Flags:\n"))
	assert.NotContains(t, Usages(few), "Store:")
}

// TestSectionsAreOfFlags: a section that names a flag which no command has any more is found.
func TestSectionsAreOfFlags(t *testing.T) {
	var r engine.Request
	known := pflag.NewFlagSet("", pflag.ContinueOnError)
	Pair(known, &r)
	Chain(known, &r.Chain)
	Options(known, &r.Options)
	Seed(known, &r.Seed)
	new(Orders).Register(known)
	Store(known, &r.Store)
	for _, s := range sections() {
		for _, name := range strings.Fields(s.names) {
			assert.NotNil(t, known.Lookup(name), "%s: %s", s.title, name)
		}
	}
}
