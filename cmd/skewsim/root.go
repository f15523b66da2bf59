package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/servers/fault"
)

func newRoot(a *App) *cobra.Command {
	root := &cobra.Command{
		Use:   "skewsim",
		Short: "Show what a rolling upgrade or a rollback does to stored objects",
		Long: `skewsim starts release n-1 and release n of an API server on one shared etcd,
runs old and new clients through a rolling upgrade, a rollback and a second
upgrade, and says which acknowledged value was lost, at which step, by whose
write, against which rule of Kubernetes' "Changing the API".

Exit codes: 0 the findings are those that the scenario expects; 1 they are not;
2 bad flags or a bad scenario; 3 the run could not be judged (a server did not
start, the run was interrupted, a check had no data).`,
		Example: `  skewsim run add-field
  skewsim run add-field+required
  skewsim run my-field.yaml --pair kube-apiserver@v1.36.3..v1.37.0
  skewsim run my-field.yaml --old kube-apiserver@v1.36.3 --new source:../kubernetes
  skewsim plan emptydir-mode
  skewsim judge out/add-field`,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		SilenceErrors:              true,
		Args:                       KnownCommand,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := errors.Join(cliflags.Empty(c.Flags()), cliflags.Contradictory(c.Flags())); err != nil {
				return fault.ByUser(err)
			}
			a.allowPrograms = cliflags.AllowsPrograms(c.Flags())
			return a.profile.start()
		},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fault.ByUser(fmt.Errorf("%s: %w; see %s --help", c.CommandPath(), cliflags.Plain(err), c.CommandPath()))
	})
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play releases on real servers:", []*cobra.Command{newRun(a), newMatrix(a), newSweep(a), newPreflight(a), newFuzz(a)}},
		{"Write and check scenarios:", []*cobra.Command{newList(a), newInit(a), newPlan(a), newValidate(a), newExpect(a)}},
		{"Compare what releases publish:", []*cobra.Command{newDiff(a), newLint(a)}},
		{"Read results:", []*cobra.Command{newJudge(a), newReport(a)}},
		{"Manage skewsim:", []*cobra.Command{newBuilds(a), newVersion(a)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			completePairs(c)
			root.AddCommand(c)
		}
	}
	root.AddCommand(newGuard(), newReferenceServer())
	a.profile.bind(root)
	cliflags.Group(root)
	return root
}
