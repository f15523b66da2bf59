package published

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine/request"
	"github.com/skewsim/skewsim/sim/lint"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Request says what to lint.
type Request struct {
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

// Source starts releases.
type Source struct {
	// Build returns the build of a reference.
	Build func(ctx context.Context, ref servers.Reference) (servers.Build, error)
	// Runtime returns what starts servers.
	Runtime func(secrets, logs string) (servers.Runtime, error)
	// Temporary receives each directory that must not outlive the process; nil: nobody does.
	Temporary func(dir string)
}

// Lint returns what a server publishes, and the findings about it. Errors in the request are
// of fault.User.
func (s Source) Lint(ctx context.Context, r Request) (this lint.Server, report lint.Report, err error) {
	exceptions, err := r.exceptions()
	if err != nil {
		return this, report, fault.ByUser(err)
	}
	if err := errors.Join(follows(named(r.Since), named(r.Name)), request.AdaptsAny(r.Adapter, []string{r.Name, r.Since})); err != nil {
		return this, report, fault.ByUser(err)
	}
	if this, err = s.published(ctx, r.Name, r); err != nil {
		return this, report, err
	}
	var since *lint.Server
	if r.Since != "" {
		other, err := s.published(ctx, r.Since, r)
		if err != nil {
			return this, report, err
		}
		if err := follows(releaseOf(other), releaseOf(this)); err != nil {
			return this, report, fault.ByUser(err)
		}
		since = &other
	}
	report, err = lint.Check(this, since, exceptions)
	return this, report, fault.ByUser(err)
}

// follows refuses an earlier release that is the later one, or of another server.
func follows(since, this pairing.Release) error {
	if err := (pairing.Pair{Old: since, New: this}).Check(); err != nil {
		return fault.Optionf("{since}: %w", err)
	}
	return nil
}

// named returns what a name says of a release; nothing, for files.
func named(name string) pairing.Release {
	ref, err := servers.ParseReference(name)
	if _, missing := os.Lstat(name); err != nil || missing == nil {
		return pairing.Release{}
	}
	return request.ReleaseOf(ref)
}

func releaseOf(s lint.Server) pairing.Release {
	return pairing.Release{Component: s.Component, Version: s.Version}
}

func (r Request) exceptions() (lint.Exceptions, error) {
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
