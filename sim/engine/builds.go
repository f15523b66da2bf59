package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// Made implements engine.Builds on a builder.
type Made struct{ *builder.Builder }

var _ Builds = Made{}

// BuildsOf returns an engine.Builds that makes builds with b.
func BuildsOf(b *builder.Builder) Made { return Made{b} }

// Known implements engine.Builds.
func (m Made) Known(ctx context.Context, refs ...servers.Reference) error {
	return m.Check(ctx, refs...)
}

// CheckReplaced implements engine.Builds. It checks nothing if the scenario forgets the new
// manifests, since no server gets them.
func (m Made) CheckReplaced(ctx context.Context, s *scenarios.Scenario, refs ...servers.Reference) error {
	if s.New.Forgotten {
		return nil
	}
	return m.Builder.CheckReplaced(ctx, refs...)
}

// TypedClients implements engine.Builds. It leaves out clients whose client-go cannot be
// fetched, such as for a build between two releases; the run then approximates them, and
// says so.
func (m Made) TypedClients(ctx context.Context, c ClientRoles, builds map[term.Role]servers.Build, say func(string)) (map[term.Role]typedclient.Build, error) {
	all := map[term.Role]typedclient.Build{}
	for _, role := range c.Roles {
		version := ""
		if role == term.Older {
			version = c.Older
		}
		b, ok, err := m.TypedClientOf(ctx, builds[role], version)
		var request *servers.RequestError
		var lacks *build.UnavailableError
		switch {
		case role == term.Older && errors.As(err, &request):
			return nil, fault.ByUser(fmt.Errorf("releases.clients: %w", err)) // no server publishes a schema that could replace them
		case errors.As(err, &request), errors.As(err, &lacks):
			say(fmt.Sprintf("the typed clients of %s cannot be built: %v; its published schema approximates them", builds[role].Reference, err))
		case err != nil:
			return nil, err
		case ok:
			all[role] = b
		}
	}
	return all, nil
}

// GateTags implements engine.Builds. For a release that is left out, the run uses the gates
// that its server publishes.
func (m Made) GateTags(ctx context.Context, builds map[term.Role]servers.Build, say func(string)) map[term.Role][]byte {
	all := map[term.Role][]byte{}
	for role, b := range builds {
		text, err := m.Builder.GateTags(ctx, b)
		if err != nil {
			say(fmt.Sprintf("%s: the source of its types cannot be read: %v; the gates of fields are taken from their descriptions", b.Reference, err))
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

// EtcdImage implements engine.Builds. Its errors name the flag with the image.
func (m Made) EtcdImage(ctx context.Context, name string) (*container.Engine, servers.Build, error) {
	docker, b, err := m.Etcd(ctx, name)
	if docker == nil {
		if lacks := (*container.EngineError)(nil); errors.As(err, &lacks) {
			err = lacks.ForStore()
		}
		return nil, servers.Build{}, fault.Optionf("{store} %s%s: %w", ImagePrefix, name, err)
	}
	if request := (*servers.RequestError)(nil); errors.As(err, &request) {
		err = fault.Optionf("{store} %w", err)
	}
	return docker, b, err
}
