package main

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/servers"
)

// buildImage makes a build of a container image.
func (a *app) buildImage(_ context.Context, ref servers.Reference) (servers.Build, error) {
	return servers.Build{}, usage(fmt.Errorf("%s: cannot be played yet", ref))
}
