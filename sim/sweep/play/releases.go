package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// asked is a running server of a release in one lap's settings, with what it publishes. It
// stands apart from the lap's run: what is tried on it touches no store of a run.
type asked struct {
	*probe.Server
	published.Release
	// tried is the server for objects that are tried. It follows the server through restarts.
	tried *try.Server
	apis  map[string]bool // that were switched
}

// servers are the servers of both releases in one lap's settings.
type lapServers map[term.Role]*asked

// lend returns the server of a build that runs with such options; nil: none does.
func (l lapServers) lend(b servers.Build, o servers.Options) *client.Connection {
	for _, s := range l {
		if s != nil && s.Process.Err() == nil && reflect.DeepEqual(s.Build, b) && s.Options.Equal(o) {
			return s.Conn
		}
	}
	return nil
}

// close stops them.
func (l lapServers) close() error {
	var all []error
	for _, s := range l {
		if s != nil {
			all = append(all, s.Server.Close())
		}
	}
	return errors.Join(all...)
}

// forget gives up what only the making of objects needs: what a release publishes is 14 MB.
func (l lapServers) forget() {
	for _, s := range l {
		clear(s.Documents)
	}
}

// everyGate returns the switches of all gates of a release that are not stable, as far as they are
// known.
func (s *session) everyGate(role term.Role) map[string]bool {
	return published.EveryGate(s.sources[role], s.plain[role])
}

// options returns how servers of a release are started in a lap.
func (s *session) options(role term.Role, lap term.Lap) servers.Options {
	o := engine.StartWith(s.given[role], s.builds[term.Old])
	if lap == term.GatesLap {
		o.FeatureGates = scenarios.LaidOver(s.everyGate(role), o.FeatureGates)
	}
	return o
}

// start starts a server of each release in a lap's settings, and asks what both publish.
func (s *session) start(ctx context.Context, lap term.Lap) (_ lapServers, err error) {
	roles := term.Roles()
	started := make([]*asked, len(roles))
	group, starting := errgroup.WithContext(ctx)
	for i, r := range roles {
		group.Go(func() error {
			return fault.Guard(func() (err error) {
				started[i], err = s.startOne(starting, r.Word, lap)
				return err
			})
		})
	}
	err = group.Wait()
	all := lapServers{}
	for i, r := range roles {
		all[r.Word] = started[i]
	}
	if err != nil {
		return nil, errors.Join(err, all.close())
	}
	return all, nil
}

func (s *session) startOne(ctx context.Context, role term.Role, lap term.Lap) (*asked, error) {
	o := s.options(role, lap)
	if lap == term.GatesLap && builder.SwitchesAPIs(ctx, s.builds[role]) {
		o.RuntimeConfig = scenarios.LaidOver(builder.EveryAPI(), o.RuntimeConfig)
	}
	name := string(lap) + "-" + string(role)
	server, err := probe.Start(ctx, probe.Config{
		Build: s.builds[role], Runtime: s.host.Runtime, Temporary: s.host.Temporary, Name: name, Options: o,
	})
	if err != nil {
		return nil, err
	}
	release, err := published.Ask(ctx, server.Conn, s.builds[role])
	if err != nil {
		return nil, errors.Join(fmt.Errorf("server %s (%s): %w", name, s.builds[role].Reference, err), server.Close())
	}
	release.Missing = append(release.Missing, s.missing[role]...)
	if s.sources[role] != nil {
		if release.Facts, err = json.Marshal(s.sources[role]); err != nil {
			return nil, errors.Join(err, server.Close())
		}
	}
	return &asked{Server: server, Release: release, tried: try.NewServer(server.Conn, s.announced(name, role, server.Restart)), apis: o.RuntimeConfig}, nil
}

// announced returns a restart that says which server needs it: one that is stopped costs a minute before, and the sweep
// goes on.
func (s *session) announced(name string, role term.Role, restart func(context.Context) (*client.Connection, error)) func(context.Context) (*client.Connection, error) {
	return func(ctx context.Context) (*client.Connection, error) {
		s.say("server %s (%s) ended, or gives no answer: it is started again", name, s.builds[role].Reference)
		return restart(ctx)
	}
}
