package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

func newBuildsGet(a *App) *cobra.Command {
	var jobs int
	var adapter string
	var fromSource bool
	c := &cobra.Command{
		Use:   "get BUILD...",
		Short: "Build releases, or find them in the cache, and print their paths",
		Long: `get downloads or builds releases, or finds them in the cache, and prints their paths in
the order of the arguments. A release of Kubernetes is taken from the cache, from
$KUBEBUILDER_ASSETS if that is the release, from the binaries that Kubernetes publishes
($SKEWSIM_MIRROR), or else built from its Go module; --from-source builds it in any case. For an image it prints the ID, as image:sha256:ID. On standard error it
reports whether each was cached or built, and how long that took. It builds several at
once, as memory and cores allow: linking a kube-apiserver takes 1.9 GB. If a build fails,
the others continue.`,
		Example: `  skewsim builds get kube-apiserver@v1.36.1 kube-apiserver@v1.37.0 typed-client@v1.37.0
  skewsim builds get kube-apiserver@v1.36 # the newest patch that is built, else the newest available
  skewsim builds get kube-apiserver@v1.36.3 --from-source
  skewsim builds get source:../kubernetes typed-client@source:../kubernetes
  skewsim builds get frobber@1.1+required`,
		Args: AtLeastOne("builds, such as kube-apiserver@v1.37.0"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("jobs") && jobs < 1 {
				return fault.ByUser(fmt.Errorf("--jobs %d: must be greater than 0", jobs))
			}
			a.FromSource = fromSource
			return makeBuilds(c.Context(), a, args, adapter, jobs)
		},
	}
	cliflags.Adapter(c.Flags(), &adapter)
	c.Flags().BoolVar(&fromSource, "from-source", false, "Build from source what could be downloaded.")
	c.Flags().IntVarP(&jobs, "jobs", "j", 0, "`number` of builds to make in parallel (default: as many as memory and cores allow)")
	return c
}

// makeBuilds makes several builds at once. The cache makes none of them twice.
func makeBuilds(ctx context.Context, a *App, names []string, adapter string, atOnce int) error {
	if err := engine.AdaptsAny(adapter, names); err != nil {
		return fault.ByUser(err)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(names)))
	if len(distinct) == 1 {
		path, err := builder.Fetch(ctx, a.Builder(), names[0], adapter, a.Err)
		if err != nil {
			return err
		}
		printPaths(a.Out, names, map[string]string{names[0]: path})
		return nil
	}
	if atOnce == 0 {
		atOnce = builder.AtOnce(len(distinct))
	}
	paths, err := getApart(ctx, a, distinct, adapter, atOnce)
	printPaths(a.Out, names, paths)
	return err
}

// getApart makes builds, a number of them at once, and returns the paths of those that were
// made. One that fails does not stop the others.
func getApart(ctx context.Context, a *App, distinct []string, adapter string, atOnce int) (paths map[string]string, _ error) {
	board := screen.NewBuilds(a.Err)
	defer board.Close()
	g := getting{app: a, board: board, adapter: adapter, paths: map[string]string{}}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, names := range builder.Related(distinct) {
		group.Go(func() error {
			g.get(ctx, names)
			return nil // one that fails does not stop the others
		})
	}
	_ = group.Wait() // nothing gives it an error
	return g.paths, g.worst
}

// getting is the state of several builds that are made at once.
type getting struct {
	app     *App
	board   *screen.Builds
	adapter string
	mutex   sync.Mutex // of what follows
	paths   map[string]string
	worst   error
}

// get makes builds one after the other; those of one checkout are made of the same copy.
func (g *getting) get(ctx context.Context, names []string) {
	own := g.app.Abreast(io.Discard)
	for _, name := range names {
		if err := context.Cause(ctx); err != nil {
			g.end(name, "", err)
			return
		}
		row := g.board.Row(name)
		own.Err = row
		path, err := builder.Fetch(ctx, own.Builder(), name, g.adapter, row)
		row.End()
		g.end(name, path, err)
	}
}

// end records how a build ended. A build that failed is worse than a name that is wrong; both
// are printed already.
func (g *getting) end(name, path string, err error) {
	if text := campaign.Message(err); text != "" {
		g.board.Print(text)
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	switch printed := errors.New(""); {
	case err == nil:
		g.paths[name] = path
	case !fault.Is(err, fault.User):
		g.worst = printed
	case g.worst == nil:
		g.worst = fault.ByUser(printed)
	}
}

// printPaths prints the paths of the builds that were made, in the order of the names.
func printPaths(w io.Writer, names []string, paths map[string]string) {
	for _, name := range names {
		if path, ok := paths[name]; ok {
			fmt.Fprintln(w, path)
		}
	}
}
