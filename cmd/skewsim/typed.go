package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/engine"
)

// typedBuilds makes the typed clients that the plan needs, one after the other:
// each takes all cores. Those that no client-go can be fetched for, such as of
// a build between two releases, are left out: the run approximates them, and
// says so. The reference server brings its own.
func (a *app) typedBuilds(ctx context.Context, c engine.ClientRoles, builds map[term.Role]servers.Build, say func(string)) (map[term.Role]typedclient.Build, error) {
	all := map[term.Role]typedclient.Build{}
	for _, role := range c.Roles {
		version := ""
		if role == term.Older {
			version = c.Older
		}
		b, ok, err := a.builder().TypedClientOf(ctx, builds[role], version)
		var request *servers.RequestError
		var lacks *gobuild.UnavailableError
		switch {
		case role == term.Older && errors.As(err, &request):
			return nil, usage(fmt.Errorf("releases.clients: %w", err)) // no server publishes what could stand in for them
		case errors.As(err, &request), errors.As(err, &lacks):
			say(fmt.Sprintf("the typed clients of %s cannot be built: %v; its published schema stands in for its types", builds[role].Reference, err))
		case err != nil:
			return nil, err
		case ok:
			all[role] = b
		}
	}
	return all, nil
}
