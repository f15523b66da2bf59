package builds

import (
	"context"
	"errors"
	"fmt"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/engine"
)

// Made are the builds of a builder.
type Made struct{ *builder.Builder }

var _ engine.Builds = Made{}

// Of returns what runs ask of a builder.
func Of(b *builder.Builder) Made { return Made{b} }

// Known implements engine.Builds.
func (m Made) Known(ctx context.Context, refs ...servers.Reference) error {
	return m.Check(ctx, refs...)
}

// CheckReplaced implements engine.Builds. Where the new manifests are forgotten, no server
// gets them.
func (m Made) CheckReplaced(ctx context.Context, s *scenarios.Scenario, refs ...servers.Reference) error {
	if s.New.Forgotten {
		return nil
	}
	return m.Builder.CheckReplaced(ctx, refs...)
}

// TypedClients implements engine.Builds. Those that no client-go can be fetched for, such
// as of a build between two releases, are left out: the run approximates them, and says
// so.
func (m Made) TypedClients(ctx context.Context, c engine.ClientRoles, builds map[term.Role]servers.Build, say func(string)) (map[term.Role]typedclient.Build, error) {
	all := map[term.Role]typedclient.Build{}
	for _, role := range c.Roles {
		version := ""
		if role == term.Older {
			version = c.Older
		}
		b, ok, err := m.TypedClientOf(ctx, builds[role], version)
		var request *servers.RequestError
		var lacks *gobuild.UnavailableError
		switch {
		case role == term.Older && errors.As(err, &request):
			return nil, fault.Wrap(fault.User, fmt.Errorf("releases.clients: %w", err)) // no server publishes what could stand in for them
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

// GateTags implements engine.Builds. The gates of a release that is left out are those that
// it publishes.
func (m Made) GateTags(ctx context.Context, builds map[term.Role]servers.Build, say func(string)) map[term.Role][]byte {
	all := map[term.Role][]byte{}
	for role, b := range builds {
		text, err := m.Builder.GateTags(ctx, b)
		if err != nil {
			say(fmt.Sprintf("%s: the source of its types cannot be read: %v; the gates of fields are those that descriptions name", b.Reference, err))
			continue
		}
		if text != nil {
			all[role] = text
		}
	}
	return all
}

// Runtime implements engine.Builds.
func (m Made) Runtime(secrets, logs, seed string) (servers.Runtime, error) {
	return m.NewRuntime(secrets, logs, seed)
}

// EtcdImage implements engine.Builds. Its errors name the flag that the image comes from.
func (m Made) EtcdImage(ctx context.Context, name string) (*container.Engine, servers.Build, error) {
	docker, b, err := m.Etcd(ctx, name)
	if docker == nil {
		if lacks := (*container.EngineError)(nil); errors.As(err, &lacks) {
			err = lacks.ForStore()
		}
		return nil, servers.Build{}, fmt.Errorf("--store %s%s: %w", engine.ImagePrefix, name, err)
	}
	if request := (*servers.RequestError)(nil); errors.As(err, &request) {
		err = fmt.Errorf("--store %w", err)
	}
	return docker, b, err
}
