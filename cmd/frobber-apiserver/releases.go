package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/frobber/train"
)

// newReleases lists the train.
func newReleases() *cobra.Command {
	return &cobra.Command{
		Use:   "releases",
		Short: "List the releases, and those that are wrong on purpose",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, name := range train.Names() {
				line := []string{name}
				for _, twin := range train.Twins(name) {
					line = append(line, name+"+"+twin)
				}
				fmt.Fprintln(c.OutOrStdout(), strings.Join(line, " "))
			}
			return nil
		},
	}
}
