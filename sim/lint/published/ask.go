package published

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/lint"
)

// published returns what a release publishes, or the documents of a file or folder.
func (s Source) published(ctx context.Context, name string, r Request) (lint.Server, error) {
	if at, err := os.Stat(name); err == nil {
		server, err := read(name, at.IsDir())
		return server, fault.ByUser(err)
	}
	ref, err := servers.ParseReference(name)
	if err != nil {
		return lint.Server{}, fault.ByUser(fmt.Errorf("%w; nor is there such a file or folder", err))
	}
	if ref.Scheme == servers.SchemeModule {
		ref.Adapter = r.Adapter
	}
	b, err := s.Build(ctx, ref)
	if err != nil {
		return lint.Server{}, err
	}
	ctx, cancel := engine.WithTimeout(ctx, r.Timeout)
	defer cancel()
	server, err := s.start(ctx, b)
	return server, engine.Late(ctx, err)
}

// start starts a server on a store of its own, with every version that it can serve, and asks
// it.
func (s Source) start(ctx context.Context, b servers.Build) (server lint.Server, err error) {
	dir, err := os.MkdirTemp("", "skewsim-lint-")
	if err != nil {
		return server, err
	}
	if s.Temporary != nil {
		s.Temporary(dir)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	store, err := etcd.Start(ctx, etcd.Config{Dir: filepath.Join(dir, "store"), LogPath: filepath.Join(dir, "etcd.log")})
	if err != nil {
		return server, err
	}
	defer store.Close()
	runtime, err := s.Runtime(filepath.Join(dir, "secrets"), filepath.Join(dir, "logs"))
	if err != nil {
		return server, err
	}
	defer func() { err = errors.Join(err, runtime.Close()) }()
	at := servers.Placement{Name: "lint", Store: store.Store()}
	if builder.SwitchesAPIs(ctx, b) {
		at.Options.RuntimeConfig = builder.EveryAPI()
	}
	process, err := runtime.Start(ctx, b, at)
	if err != nil {
		return server, fmt.Errorf("start %s: %w", b.Reference, err)
	}
	defer process.Kill()
	e := process.Endpoint()
	conn, err := client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token})
	if err != nil {
		return server, err
	}
	return ask(ctx, conn, b)
}

// lifecycleComponent returns the component whose releases the lifecycles of a server name.
func lifecycleComponent(b servers.Build) string {
	switch b.Component {
	case frobberapiserver.Component().Name:
		return "frobber-apiserver"
	case kubeapiserver.Component().Name:
		return "kubernetes"
	}
	return ""
}

// ask asks a server of a build for everything that the linter uses.
func ask(ctx context.Context, conn *client.Connection, b servers.Build) (lint.Server, error) {
	s := lint.Server{Name: b.Reference, Component: lifecycleComponent(b), Documents: map[string][]byte{}}
	said, err := client.Version(ctx, conn)
	if err != nil {
		return s, err
	}
	s.Version = b.VersionOf(said)
	versions := client.GroupVersions
	if b.Aggregated != nil {
		versions = client.PassedOn // the others, and the gates, are those of the server in front
	} else if s.Stages, err = stages(ctx, conn); err != nil {
		return s, err
	}
	all, err := versions(ctx, conn)
	if err != nil {
		return s, err
	}
	for _, gv := range all {
		document, err := client.OpenAPI(ctx, conn, gv)
		if err != nil {
			return s, err
		}
		if document != nil {
			s.Documents[gv] = document
		}
	}
	return s, nil
}

// stages returns the stages of a server's gates; nil: it names no gates.
func stages(ctx context.Context, conn *client.Connection) (map[string]string, error) {
	features, err := client.Features(ctx, conn)
	if err != nil || len(features) == 0 {
		return nil, err
	}
	all := map[string]string{}
	for _, f := range features {
		all[f.Name] = f.Stage
	}
	return all, nil
}
