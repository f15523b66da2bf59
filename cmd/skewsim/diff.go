package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/diff/session"
)

type diffFlags struct {
	session.Request
	only   []string
	output string
}

func newDiff(a *App) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff OLD..NEW",
		Short: "List every difference between what two releases publish and permit",
		Long: `diff compares two releases: kinds, versions and subresources; fields with their types,
enums, defaults, list types and rules; feature gates; and what the source of a release
says beside: +k8s: validation rules, protobuf numbers, admission plug-ins, bootstrap
roles and field selectors. Each difference names the feature gates that it is behind.

It starts each release on a scratch store. For crd: and for folders with OpenAPI v3
documents it starts no server.

Exit codes: 0 the releases were compared, whether or not they differ; 2 bad flags,
or a file that cannot be read; 3 a server did not start.`,
		Example: `  skewsim diff kube-apiserver@v1.36.3..v1.37.0
  skewsim diff kube-apiserver@v1.36.3..v1.37.0 --kind Pod --only field-added
  skewsim diff kube-apiserver@v1.36.3..v1.37.0 --gate HPAScaleToZero
  skewsim diff crd:manifests/v1..crd:manifests/v2 -o markdown
  skewsim diff api/v1.36..api/v1.37 -o json`,
		Args: Exactly(1, "one pair, such as kube-apiserver@v1.36.3..v1.37.0, or two folders with OpenAPI v3 documents"),
		RunE: func(c *cobra.Command, args []string) error {
			f.Pair = args[0]
			return runDiff(c.Context(), a, f)
		},
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.Filter.Kinds, "kind", nil, "only differences in this `kind`, such as Pod or Deployment.apps; may be repeated")
	flags.StringSliceVar(&f.Filter.Gates, "gate", nil, "only differences of this feature `gate`, and of what is behind it; may be repeated")
	flags.StringSliceVar(&f.only, "only", nil, "only these `kinds` of differences, such as field-added,gate-changed")
	cliflags.Adapter(flags, &f.Adapter)
	flags.StringVarP(&f.output, "output", "o", "text", "`format`: text, json or markdown")
	flags.DurationVar(&f.Timeout, "timeout", 5*time.Minute, "time limit for each release, without builds")
	return c
}

// memoryOfDiff is near what the largest definitions need: garbage beyond it is collected at once.
const memoryOfDiff = 430 << 20

func runDiff(ctx context.Context, a *App, f diffFlags) error {
	if !slices.Contains([]string{"text", "json", "markdown"}, f.output) {
		return fault.ByUser(fmt.Errorf("--output %q: not a format (text, json, markdown)", f.output))
	}
	if f.Timeout <= 0 {
		return fault.ByUser(fmt.Errorf("--timeout %s: must be greater than 0", f.Timeout))
	}
	only, err := differenceKinds(f.only)
	if err != nil {
		return fault.ByUser(err)
	}
	f.Filter.Only = only
	CollectWithin(100, memoryOfDiff)
	from := releasesOf(a)
	from.Facts = a.Builder().Facts
	finished := a.Patience("reading and comparing what both releases publish")
	result, _, _, err := session.Compare(ctx, from, f.Request)
	finished()
	if err != nil {
		return err
	}
	switch f.output {
	case "json":
		return PrintJSON(a.Out, result)
	case "markdown":
		return diff.Markdown(a.Out, result)
	}
	return diff.Text(a.Out, result)
}

// differenceKinds returns the kinds of differences that --only names.
func differenceKinds(names []string) (all []term.DifferenceKind, err error) {
	words := term.DifferenceKinds().Words()
	for _, name := range names {
		if !slices.Contains(words, name) {
			return nil, fmt.Errorf("--only %q: not a kind of difference%s", name, suggest.Hint(name, words, "kinds"))
		}
		all = append(all, term.DifferenceKind(name))
	}
	return all, nil
}
