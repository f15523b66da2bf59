package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/frobber/apiserver"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// newServe runs the server.
func newServe() *cobra.Command {
	options := apiserver.NewOptions()
	var name, emulated string
	var version bool
	c := &cobra.Command{
		Use:   "frobber-apiserver",
		Short: "Serve the Frobber API as one of its releases",
		Long: `frobber-apiserver serves the API that Kubernetes' guide "Changing the API"
teaches with, as one release of it, on k8s.io/apiserver and etcd.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			release, err := train.Emulate(name, emulated)
			if err != nil {
				return err
			}
			if version {
				_, err = fmt.Fprintf(c.OutOrStdout(), "Frobber %s\n", release.GitVersion())
				return err
			}
			return options.Run(c.Context(), release)
		},
	}
	options.AddFlags(c.Flags())
	c.Flags().StringVar(&name, "release", newest(), "Release to serve: 1.1, or 1.1+required for a mutant. See frobber-apiserver releases.")
	c.Flags().StringVar(&emulated, "emulated-version", "", "The earlier release whose gates, APIs and storage version the server has: 1.1. Default: its own.")
	c.Flags().BoolVar(&version, "version", false, "Print the version of the release and end.")
	return c
}

func newest() string {
	names := train.Names()
	return names[len(names)-1]
}
