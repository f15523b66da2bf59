package main

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/servers"
)

// buildModule makes a build of a Go module.
func (a *app) buildModule(_ context.Context, ref servers.Reference) (servers.Build, error) {
	return servers.Build{}, usage(fmt.Errorf("%s: cannot be played yet", ref))
}
