package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
)

// newBuilds returns the command builds.
func newBuilds(a *App) *cobra.Command {
	c := &cobra.Command{
		Use:   "builds",
		Short: "Make, list and remove cached builds",
		Long: `builds manages the cache of compiled API servers and of the typed clients of their
releases. The cache is $SKEWSIM_CACHE, or skewsim in the user's cache directory.
run builds what it needs. If the module proxy withholds a module, skewsim uses the nearest
later version as a substitute, unless $SKEWSIM_EXACT is set; list shows substitutes.
The reference server, such as frobber@1.1, comes with skewsim and is not cached; builds
get prints its path. Only rm and prune remove builds.`,
		Args: KnownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newBuildsGet(a), newBuildsList(a), newBuildsRemove(a), newBuildsPrune(a))
	return c
}

func newBuildsRemove(a *App) *cobra.Command {
	return &cobra.Command{
		Use:     "rm BUILD...",
		Short:   "Remove builds from the cache",
		Example: "  skewsim builds rm kube-apiserver@v1.36.3",
		Args:    AtLeastOne("builds, as skewsim builds list shows them"),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				if err := removeBuild(a.Out, name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func removeBuild(w io.Writer, name string) error {
	removed, err := builder.Remove(name)
	for range removed {
		fmt.Fprintf(w, "%s: removed\n", name)
	}
	if err != nil {
		return err
	}
	if removed == 0 {
		return fault.ByUser(fmt.Errorf("%q: not in the cache; see skewsim builds list", name))
	}
	return nil
}
