package precheck

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestProbeNames: a probe's file name depends on exactly what its content depends on.
func TestProbeNames(t *testing.T) {
	name := func(change func(c *Config)) string {
		p := runtest.SmallPlan(t, runtest.Small)
		c := Config{Known: fleet.NewKnown(p), Builds: runtest.Builds(), Probes: "p"}
		c.Options = fleet.NewOptions(p, c.Builds, nil, nil)
		change(&c)
		return (&asker{Config: c}).probeFile(term.Old, c.Builds[term.Old])
	}
	same := name(func(*Config) {})
	assert.Equal(t, same, name(func(*Config) {}))
	assert.Empty(t, name(func(c *Config) { c.Probes = "" }))
	for what, change := range map[string]func(c *Config){
		"the binary":                          func(c *Config) { b := c.Builds[term.Old]; b.Digest = "other"; c.Builds[term.Old] = b },
		"the release, of one binary for many": func(c *Config) { b := c.Builds[term.Old]; b.Version += "+twin"; c.Builds[term.Old] = b },
		"the component":                       func(c *Config) { b := c.Builds[term.Old]; b.Component = "other"; c.Builds[term.Old] = b },
		"the options":                         func(c *Config) { c.Known.Plan.Releases[0].Options.Flags = []string{"--x"} },
		"the kinds": func(c *Config) {
			m := c.Known.Plan.Manifests["treated.yaml"]
			m.APIVersion = "v9"
			c.Known.Plan.Manifests["treated.yaml"] = m
		},
	} {
		assert.NotEqual(t, same, name(change), what)
	}
}
