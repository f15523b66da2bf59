package run

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/stretchr/testify/assert"
)

// TestProbeNames: a probe is kept for just what it depends on.
func TestProbeNames(t *testing.T) {
	name := func(change func(c *precheckConfig)) string {
		p := smallPlan(t, small)
		c := precheckConfig{known: newKnown(p), builds: builds(), probes: "p"}
		c.options = newOptions(p, c.builds, nil, nil)
		change(&c)
		return (&asker{precheckConfig: c}).probeFile(term.Old, c.builds[term.Old])
	}
	same := name(func(*precheckConfig) {})
	assert.Equal(t, same, name(func(*precheckConfig) {}))
	assert.Empty(t, name(func(c *precheckConfig) { c.probes = "" }))
	for what, change := range map[string]func(c *precheckConfig){
		"the binary":                          func(c *precheckConfig) { b := c.builds[term.Old]; b.Digest = "other"; c.builds[term.Old] = b },
		"the release, of one binary for many": func(c *precheckConfig) { b := c.builds[term.Old]; b.Version += "+twin"; c.builds[term.Old] = b },
		"the component":                       func(c *precheckConfig) { b := c.builds[term.Old]; b.Component = "other"; c.builds[term.Old] = b },
		"the options":                         func(c *precheckConfig) { c.known.plan.Releases[0].Options.Flags = []string{"--x"} },
		"the kinds": func(c *precheckConfig) {
			m := c.known.plan.Manifests["treated.yaml"]
			m.APIVersion = "v9"
			c.known.plan.Manifests["treated.yaml"] = m
		},
	} {
		assert.NotEqual(t, same, name(change), what)
	}
}
