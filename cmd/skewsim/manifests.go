package main

import (
	"context"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
)

// checkReplaced tells what no server takes of a release's manifests over those of the
// release before, where they are applied: a run would end there.
func (a *app) checkReplaced(ctx context.Context, s *scenarios.Scenario, refs ...servers.Reference) error {
	if s.New.Forgotten {
		return nil
	}
	return a.builder().CheckReplaced(ctx, refs...)
}
