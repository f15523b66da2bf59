package main

import (
	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/sweep"
)

func newInit(a *App) *cobra.Command {
	f := sweepFlags{}
	c := &cobra.Command{
		Use:   "init PAIR --path FIELD | --gate GATE",
		Short: "Write scenarios for a field or a feature gate that differs between two releases",
		Long: `init sweeps one field, or those behind a feature gate, and writes what it played as scenarios: the object that a server
accepts with the field, what is done to copies of it, and expect lines that fit what
happened. They pass as they are, and are yours to edit.

For a field behind a gate there is a second scenario, -gate.yaml, in which only the gate differs. It has not been played:
run it, and take its expect lines from skewsim expect.`,
		Example: `  skewsim init frobber@1.0..1.1 --path .spec.width
  skewsim init kube-apiserver@v1.36.3..v1.37.2 --path .spec.volumes[].emptyDir.mode --kind Pod --write scenarios
  skewsim init kube-apiserver@v1.36.3..v1.37.2 --gate EmptyDirVolumeMode`,
		Args: Exactly(1, "one pair of builds, such as frobber@1.0..1.1"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(f.Paths)+len(f.Gates) == 0 {
				return fault.ByUser(fault.Optionf("{path}: name the field, such as .spec.width, or with {gate} its feature gate; skewsim diff lists those that differ"))
			}
			f.Pair = args[0]
			f.Command = repeatSweep(c, args)
			return runSweep(c.Context(), a, f.Request, sweep.Gate{})
		},
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.Paths, "path", nil, "the `field`, such as .spec.containers[].image; may be repeated")
	flags.StringSliceVar(&f.Gates, "gate", nil, "the feature `gate`: all fields that are behind it; may be repeated")
	flags.StringSliceVar(&f.Kinds, "kind", nil, "only in this `kind`: Pod, or Deployment.apps; may be repeated")
	flags.StringVar(&f.Write, "write", ".", "`directory` for the scenarios and their objects")
	sweepPlaces(flags, &f, "out/init")
	return c
}
