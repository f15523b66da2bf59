package main

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/servers"
)

// buildSource makes a build of a checkout.
func (a *app) buildSource(_ context.Context, ref servers.Reference) (servers.Build, error) {
	return servers.Build{}, usage(fmt.Errorf("%s: cannot be played yet", ref))
}
