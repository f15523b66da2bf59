package main

import (
	"context"
	"errors"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/lint"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/rundir"
)

// lintRequest says what to lint.
type lintRequest struct {
	// Name is a release, such as frobber@1.20, or a file or folder with OpenAPI v3 documents.
	Name string
	// Since is the release before, or its documents; "": no field is new.
	Since string
	// Exceptions is a file with fields that are stable from the start; "": none. It requires
	// Since.
	Exceptions string
	// Adapter is the file that says how servers of Go modules are started; "": none.
	Adapter string
	// Timeout is how long a server may take to start and to answer, without builds.
	Timeout time.Duration
}

// lintSource finds out what releases publish.
type lintSource struct{ probe.Source }

// Lint returns what a server publishes, and the findings about it. Errors in the request are
// of fault.User.
func (s lintSource) Lint(ctx context.Context, r lintRequest) (this lint.Server, report lint.Report, err error) {
	exceptions, err := r.exceptions()
	if err != nil {
		return this, report, fault.ByUser(err)
	}
	if err := errors.Join(follows(probe.Follows(r.Since, r.Name)), engine.AdaptsAny(r.Adapter, []string{r.Name, r.Since})); err != nil {
		return this, report, fault.ByUser(err)
	}
	if this, err = s.server(ctx, r.Name, r); err != nil {
		return this, report, err
	}
	var since *lint.Server
	if r.Since != "" {
		other, err := s.server(ctx, r.Since, r)
		if err != nil {
			return this, report, err
		}
		if err := follows(pairing.Pair{Old: releaseOf(other), New: releaseOf(this)}.Check()); err != nil {
			return this, report, fault.ByUser(err)
		}
		since = &other
	}
	report, err = lint.Check(this, since, exceptions)
	return this, report, fault.ByUser(err)
}

// follows adds the option that names the earlier release to the error that refuses it.
func follows(err error) error {
	if err != nil {
		return fault.Optionf("{since}: %w", err)
	}
	return nil
}

// server returns what a release, or the documents of a file or folder, publish.
func (s lintSource) server(ctx context.Context, name string, r lintRequest) (lint.Server, error) {
	p, err := s.Get(ctx, name, probe.Options{Adapter: r.Adapter, Timeout: r.Timeout})
	if err != nil {
		return lint.Server{}, err
	}
	server := lint.Server{Name: p.Name, Component: lifecycleComponent(p.Component), Version: p.Version, Documents: p.Documents}
	if len(p.Features) > 0 {
		server.Stages = map[string]string{}
	}
	for name, f := range p.Features {
		server.Stages[name] = f.Stage
	}
	return server, nil
}

// lifecycleComponent returns the component whose releases the lifecycles of a server name.
func lifecycleComponent(component string) string {
	switch component {
	case frobberapiserver.Component().Name:
		return "frobber-apiserver"
	case kubeapiserver.Component().Name:
		return "kubernetes"
	}
	return ""
}

func releaseOf(s lint.Server) pairing.Release {
	return pairing.Release{Component: s.Component, Version: s.Version}
}

func (r lintRequest) exceptions() (lint.Exceptions, error) {
	if r.Exceptions == "" {
		return nil, nil
	}
	if r.Since == "" {
		return nil, fault.Optionf("{exceptions}: are of new fields, and without {since} no field is new; give both")
	}
	text, err := rundir.ReadRegular(r.Exceptions)
	if err != nil {
		return nil, fault.Optionf("{exceptions}: %w", err)
	}
	return lint.ParseExceptions(r.Exceptions, string(text))
}
