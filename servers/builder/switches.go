package builder

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// EveryAPI returns the switches of --runtime-config that have a server serve every version
// that it can serve.
func EveryAPI() map[string]bool { return map[string]bool{"api/all": true} }

// SwitchesAPIs reports whether the servers of a build have --runtime-config. All have it
// except some of modules, whose help does not list it. One that prints no help may have it.
func SwitchesAPIs(ctx context.Context, b servers.Build) bool {
	if b.Aggregated == nil {
		return true
	}
	text, err := apiserver.Ask(ctx, b.Path, "--help")
	return err != nil || apiserver.ParseHelp(text).Knows("runtime-config")
}
