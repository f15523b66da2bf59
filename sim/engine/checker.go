package engine

import (
	"context"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
)

// Checker reports which references can be built, without building any. Its methods may be
// called concurrently.
type Checker interface {
	// Known refuses references to releases and manifests that do not exist.
	Known(ctx context.Context, refs ...servers.Reference) error
	// CheckReplaced refuses manifests that cannot replace those of the release before.
	CheckReplaced(ctx context.Context, s *scenarios.Scenario, refs ...servers.Reference) error
	// CheckAdapters refuses modules whose adapters do not fit the scenario.
	CheckAdapters(s *scenarios.Scenario, refs ...servers.Reference) error
	// CheckPrograms refuses programs of releases that lack what they need on this machine.
	CheckPrograms(ctx context.Context, refs ...servers.Reference) error
}
