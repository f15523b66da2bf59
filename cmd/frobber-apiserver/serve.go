package main

import (
	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/frobber/apiserver"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// newServe runs the server.
func newServe() *cobra.Command {
	options := apiserver.NewOptions()
	var name string
	c := &cobra.Command{
		Use:   "frobber-apiserver",
		Short: "Serve the Frobber API as one of its releases",
		Long: `frobber-apiserver serves the API that Kubernetes' guide "Changing the API"
teaches with, as one release of it, on k8s.io/apiserver and etcd.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			release, err := train.Find(name)
			if err != nil {
				return err
			}
			return options.Run(c.Context(), release)
		},
	}
	options.AddFlags(c.Flags())
	c.Flags().StringVar(&name, "release", newest(), "The release to be: 1.1, or 1.1+required for one that is wrong on purpose. See frobber-apiserver releases.")
	return c
}

func newest() string {
	names := train.Names()
	return names[len(names)-1]
}
