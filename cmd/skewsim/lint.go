package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/lint"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/rundir"
)

type lintFlags struct {
	since, exceptions, output, adapter string
	timeout                            time.Duration
}

func newLint(a *app) *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint RELEASE|DIR",
		Short: "Check that an API server says how far its fields have come",
		Long: `lint checks the x-kubernetes-api-lifecycle that an API server publishes of fields
which are not stable: its form, its release, and its feature gate; with --since, that
fields which another release does not have carry one. It starts the release on a store
of its own and asks it, or reads OpenAPI v3 documents (a file, or a folder of *.json).

Exit codes: 0 all is well; 1 there are findings; 2 bad flags, or a file that cannot be
read; 3 a server did not start.`,
		Example: `  skewsim lint frobber@1.20 --since frobber@1.19
  skewsim lint frobber@1.20+unmarked --since frobber@1.19
  skewsim lint kube-apiserver@v1.37.0 --since kube-apiserver@v1.36.3 --exceptions stable-fields.txt
  skewsim lint api/openapi-spec/v3 -o json`,
		Args: exactly(1, "one release, such as frobber@1.20, or a folder with OpenAPI v3 documents"),
		RunE: func(c *cobra.Command, args []string) error { return a.lint(c.Context(), args[0], f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.since, "since", "", "the `release` before, or a folder with its documents: what is new since must say how far it has come")
	flags.StringVar(&f.exceptions, "exceptions", "", "a `file` with fields that are stable from the start: one a line, and the reason")
	registerAdapter(flags, &f.adapter)
	flags.StringVarP(&f.output, "output", "o", "text", "`format`: text or json")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "give up after this long, builds apart")
	return c
}

func (a *app) lint(ctx context.Context, name string, f lintFlags) error {
	if f.output != "text" && f.output != "json" {
		return usage(fmt.Errorf("--output %q: not a format (text, json)", f.output))
	}
	if f.timeout <= 0 {
		return usage(fmt.Errorf("--timeout %s: must be more than nothing", f.timeout))
	}
	exceptions, err := f.readExceptions()
	if err != nil {
		return usage(err)
	}
	if err := follows(named(f.since), named(name)); err != nil {
		return usage(err)
	}
	if err := adaptsAny(f.adapter, []string{name, f.since}); err != nil {
		return usage(err)
	}
	this, err := a.published(ctx, name, f)
	if err != nil {
		return err
	}
	var since *lint.Server
	if f.since != "" {
		other, err := a.published(ctx, f.since, f)
		if err != nil {
			return err
		}
		if err := follows(ofPublished(other), ofPublished(this)); err != nil {
			return usage(err)
		}
		since = &other
	}
	report, err := lint.Check(this, since, exceptions)
	if err != nil {
		return usage(err)
	}
	if err := a.printLint(this, report, f.output); err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return verdictError{verdict: term.Fail}
	}
	return nil
}

// follows refuses a release before that is the later one, or of another server.
func follows(since, this pairing.Release) error {
	if err := sameComponent(since, this); err != nil {
		return fmt.Errorf("--since: %w", err)
	}
	return nil
}

// named is what a reference says of what is to be asked; nothing, of files.
func named(name string) pairing.Release {
	ref, err := servers.ParseReference(name)
	if err != nil || isThere(name) {
		return pairing.Release{}
	}
	return engine.ReleaseOf(ref)
}

func ofPublished(s lint.Server) pairing.Release {
	return pairing.Release{Component: s.Component, Version: s.Version}
}

func (f lintFlags) readExceptions() (lint.Exceptions, error) {
	if f.exceptions == "" {
		return nil, nil
	}
	if f.since == "" {
		return nil, errors.New("--exceptions: are of new fields, and without --since no field is new; give both")
	}
	text, err := rundir.ReadRegular(f.exceptions)
	if err != nil {
		return nil, fmt.Errorf("--exceptions: %w", err)
	}
	return lint.ParseExceptions(f.exceptions, string(text))
}

// printLint prints the findings, then what they came to.
func (a *app) printLint(s lint.Server, r lint.Report, format string) error {
	if format == "json" {
		enc := json.NewEncoder(a.out)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	for _, f := range r.Findings {
		fmt.Fprintln(a.out, f)
	}
	for _, reason := range r.Unchecked {
		fmt.Fprintln(a.out, "not checked:", reason)
	}
	for _, pattern := range r.Unused {
		fmt.Fprintln(a.out, "excuses nothing:", pattern)
	}
	_, err := fmt.Fprintf(a.out, "%s (%s): %d fields, %d of them with a lifecycle, %d excused: %d findings\n",
		s.Name, cmp.Or(s.Version, "unknown version"), r.Fields, r.Marked, r.Excused, len(r.Findings))
	return err
}
