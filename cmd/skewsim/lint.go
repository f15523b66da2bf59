package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/lint"
	"github.com/skewsim/skewsim/sim/probe"
)

type lintFlags struct {
	lintRequest
	output string
}

func newLint(a *App) *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint RELEASE|DIR",
		Short: "Check that an API server publishes the lifecycle of its fields",
		Long: `lint checks x-kubernetes-api-lifecycle, which an API server publishes for fields that are
not stable: its form, its release and its feature gate. With --since it also requires one
for every field that the earlier release does not have. It starts the release on a scratch
store, or reads OpenAPI v3 documents (a file, or a folder of *.json).

Exit codes: 0 no findings; 1 findings; 2 bad flags, or a file that cannot be
read; 3 a server did not start.`,
		Example: `  skewsim lint frobber@1.20 --since frobber@1.19
  skewsim lint frobber@1.20+unmarked --since frobber@1.19
  skewsim lint kube-apiserver@v1.37.0 --since kube-apiserver@v1.36.3 --exceptions stable-fields.txt
  skewsim lint api/openapi-spec/v3 -o json`,
		Args: Exactly(1, "one release, such as frobber@1.20, or a folder with OpenAPI v3 documents"),
		RunE: func(c *cobra.Command, args []string) error {
			f.Name = args[0]
			return runLint(c.Context(), a, f)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.Since, "since", "", "the previous `release`, or a folder with its documents: every field that is new since must have a lifecycle")
	flags.StringVar(&f.Exceptions, "exceptions", "", "a `file` with fields that are stable from the start, one per line with its reason")
	cliflags.Adapter(flags, &f.Adapter)
	flags.StringVarP(&f.output, "output", "o", "text", "`format`: text or json")
	flags.DurationVar(&f.Timeout, "timeout", 5*time.Minute, "time limit, without builds")
	return c
}

func runLint(ctx context.Context, a *App, f lintFlags) error {
	if f.output != "text" && f.output != "json" {
		return fault.ByUser(fmt.Errorf("--output %q: not a format (text, json)", f.output))
	}
	if f.Timeout <= 0 {
		return fault.ByUser(fmt.Errorf("--timeout %s: must be greater than 0", f.Timeout))
	}
	this, report, err := lintSource{Source: releasesOf(a)}.Lint(ctx, f.lintRequest)
	if err != nil {
		return err
	}
	if f.output == "json" {
		err = PrintJSON(a.Out, report)
	} else {
		err = lint.Text(a.Out, this, report)
	}
	if err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return VerdictError{Verdict: term.Fail}
	}
	return nil
}

// releasesOf returns what finds out what releases publish, for one after the other.
func releasesOf(a *App) probe.Source {
	return probe.Source{
		Build: a.Builder().Build, Runtime: a.NewRuntime, Temporary: a.Temporary, Manifests: a.Builder().Manifests,
	}
}
