package cli

import (
	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/frobber/clients"
	"github.com/skewsim/skewsim/servers/frobber/train"
	"github.com/skewsim/skewsim/servers/typedclient/program"
)

// newClients is a release's typed clients.
func newClients() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "clients",
		Short: "Be the typed clients of a release, which skewsim speaks with",
		Long: `clients decodes and encodes objects with the Go types of a release, computes
patches from their tags, and fills their apply configurations. It answers
requests that come in frames on standard input, and talks to no server.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			release, err := train.Find(name)
			if err != nil {
				return err
			}
			return program.Main(clients.Of(release))
		},
	}
	c.Flags().StringVar(&name, "release", newest(), "Release whose types the clients use: 1.1, or 1.1+required for a mutant.")
	return c
}
