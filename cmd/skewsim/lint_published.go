package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/lint"
	"github.com/skewsim/skewsim/sim/rundir"
)

// published is what a release publishes, or what lies in a file or a folder.
func (a *app) published(ctx context.Context, name string, f lintFlags) (lint.Server, error) {
	if at, err := os.Stat(name); err == nil {
		s, err := readPublished(name, at.IsDir())
		return s, usage(err)
	}
	ref, err := servers.ParseReference(name)
	if err != nil {
		return lint.Server{}, usage(fmt.Errorf("%w; nor is there such a file or folder", err))
	}
	if ref.Scheme == servers.SchemeModule {
		ref.Adapter = f.adapter
	}
	b, err := a.builder().Build(ctx, ref)
	if err != nil {
		return lint.Server{}, err
	}
	ctx, cancel := engine.WithTimeout(ctx, f.timeout)
	defer cancel()
	s, err := a.askPublished(ctx, b)
	return s, engine.Late(ctx, err)
}

// readPublished reads OpenAPI v3 documents. They do not tell their gates.
func readPublished(name string, isDir bool) (lint.Server, error) {
	files := []string{name}
	if isDir {
		var err error
		if files, err = filepath.Glob(filepath.Join(name, "*.json")); err != nil {
			return lint.Server{}, err
		}
	}
	s := lint.Server{Name: name, Documents: map[string][]byte{}}
	for _, file := range files {
		text, err := rundir.ReadRegular(file)
		if err != nil {
			return s, err
		}
		s.Documents[filepath.Base(file)] = text
		if s.Version == "" {
			s.Version = versionIn(text)
		}
	}
	if len(files) == 0 {
		return s, fmt.Errorf("%s: has no *.json: name a folder with OpenAPI v3 documents", name)
	}
	return s, nil
}

// versionIn is the release that a document says it is of; "" where it says none.
func versionIn(document []byte) string {
	var of struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
	}
	if json.Unmarshal(document, &of) != nil || !released.MatchString(of.Info.Version) {
		return "" // what is no document, the linter tells
	}
	return of.Info.Version
}

var released = regexp.MustCompile(`^v[0-9]+\.[0-9]+`)

// components are what servers' lifecycles are of, by the name of the server.
var components = map[string]string{"frobber": "frobber-apiserver", "kube-apiserver": "kubernetes"}

// askPublished starts a server on a store of its own, with every version that it can
// serve, and asks it.
func (a *app) askPublished(ctx context.Context, b servers.Build) (s lint.Server, err error) {
	dir, err := os.MkdirTemp("", "skewsim-lint-")
	if err != nil {
		return s, err
	}
	a.secrets.Store(&dir)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	store, err := etcd.Start(ctx, etcd.Config{Dir: filepath.Join(dir, "store"), LogPath: filepath.Join(dir, "etcd.log")})
	if err != nil {
		return s, err
	}
	defer store.Close()
	runtime, err := a.newRuntime(filepath.Join(dir, "secrets"), filepath.Join(dir, "logs"))
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, runtime.Close()) }()
	at := servers.Placement{Name: "lint", Store: store.Store()}
	if switchesAPIs(ctx, b) {
		at.Options.RuntimeConfig = everyAPI()
	}
	process, err := runtime.Start(ctx, b, at)
	if err != nil {
		return s, fmt.Errorf("start %s: %w", b.Reference, err)
	}
	defer process.Kill()
	e := process.Endpoint()
	conn, err := client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token})
	if err != nil {
		return s, err
	}
	return ask(ctx, conn, b)
}

// ask has a server of the build say all that the linter goes by.
func ask(ctx context.Context, conn *client.Connection, b servers.Build) (lint.Server, error) {
	s := lint.Server{Name: b.Reference, Component: components[b.Component], Documents: map[string][]byte{}}
	said, err := client.Version(ctx, conn)
	if err != nil {
		return s, err
	}
	s.Version = b.VersionOf(said)
	versions := client.GroupVersions
	if b.Aggregated != nil {
		versions = client.PassedOn // the rest, and the gates, are of the server that passes it on
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

// stages are those of the server's gates, by gate; nil: it tells of none.
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
