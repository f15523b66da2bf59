package main

import (
	"context"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/sim/fuzz"
)

// everyAPI switches every version that a server can serve.
func everyAPI() map[string]bool { return map[string]bool{"api/all": true} }

// switchAll has every API served by the releases whose servers let APIs be switched,
// unless the user said which.
func (f fuzzFlags) switchAll(ctx context.Context, c fuzz.Config) {
	for role, o := range c.Options {
		if !f.apis && switchesAPIs(ctx, c.Builds[role]) {
			o.RuntimeConfig = scenarios.LaidOver(everyAPI(), o.RuntimeConfig)
			c.Options[role] = o
		}
	}
}

// switchesAPIs tells whether the servers of a build know --runtime-config: all do but
// some of modules, whose help tells. One that gives no help may know it.
func switchesAPIs(ctx context.Context, b servers.Build) bool {
	if b.Aggregated == nil {
		return true
	}
	text, err := apiserver.Ask(ctx, b.Path, "--help")
	return err != nil || apiserver.ParseHelp(text).Knows("runtime-config")
}
