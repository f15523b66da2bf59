package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/sim/campaign"
)

func newBuildsGet(a *app) *cobra.Command {
	var jobs int
	var adapter string
	c := &cobra.Command{
		Use:   "get BUILD...",
		Short: "Make builds, or find them in the cache, and print their paths",
		Long: `get makes builds, or finds them in the cache, and prints the path of each, in the order
in which they are named; of an image its ID, as image:sha256:ID. Beside the paths, on standard error, it says of each whether it
was cached or built, and how long that took. Several are built at once, as many as
memory and cores allow: linking a kube-apiserver takes 1.9 GB. One that cannot be built
does not stop the others.`,
		Example: `  skewsim builds get kube-apiserver@v1.36.1 kube-apiserver@v1.37.0 typed-client@v1.37.0
  skewsim builds get kube-apiserver@v1.36 # its newest patch that is built, else that can be had
  skewsim builds get source:../kubernetes typed-client@source:../kubernetes
  skewsim builds get frobber@1.1+required`,
		Args: atLeastOne("builds, such as kube-apiserver@v1.37.0"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("jobs") && jobs < 1 {
				return usage(fmt.Errorf("--jobs %d: must be more than nothing", jobs))
			}
			return a.getBuilds(c.Context(), args, adapter, jobs)
		},
	}
	registerAdapter(c.Flags(), &adapter)
	c.Flags().IntVarP(&jobs, "jobs", "j", 0, "build so `many` at once (default: as memory and cores allow)")
	return c
}

// getBuilds makes several builds at once: the cache sees to it that none is made twice.
func (a *app) getBuilds(ctx context.Context, names []string, adapter string, atOnce int) error {
	if err := adaptsAny(adapter, names); err != nil {
		return usage(err)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(names)))
	if len(distinct) == 1 {
		path, err := a.getBuild(ctx, names[0], adapter)
		if err != nil {
			return err
		}
		a.printPaths(names, map[string]string{names[0]: path})
		return nil
	}
	if atOnce == 0 {
		atOnce = builder.AtOnce(len(distinct))
	}
	paths, err := a.getApart(ctx, distinct, adapter, atOnce)
	a.printPaths(names, paths)
	return err
}

// getApart makes builds, so many at once, and returns where those are that were made. One
// that cannot be made does not stop the others.
func (a *app) getApart(ctx context.Context, distinct []string, adapter string, atOnce int) (paths map[string]string, _ error) {
	board := newWorks(a.err)
	defer board.close()
	g := getting{app: a, board: board, adapter: adapter, paths: map[string]string{}}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, names := range builder.Related(distinct) {
		group.Go(func() error {
			g.get(ctx, names)
			return nil // what one comes to does not end the others
		})
	}
	_ = group.Wait() // nothing gives it an error
	return g.paths, g.worst
}

// getting is several builds that are made at once.
type getting struct {
	app     *app
	board   *works
	adapter string
	mutex   sync.Mutex // of what follows
	paths   map[string]string
	worst   error
}

// get makes builds one after the other, of the same checkout where they are of one.
func (g *getting) get(ctx context.Context, names []string) {
	own := g.app.abreast(io.Discard)
	for _, name := range names {
		if err := context.Cause(ctx); err != nil {
			g.end(name, "", err)
			return
		}
		row := g.board.row(name)
		own.err = row
		path, err := own.getBuild(ctx, name, g.adapter)
		row.end()
		g.end(name, path, err)
	}
}

// end keeps what a build came to. What could not be made is worse than what was asked for
// wrongly, and both are printed already.
func (g *getting) end(name, path string, err error) {
	if text := campaign.Message(err); text != "" {
		g.board.print(text)
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	switch printed := errors.New(""); {
	case err == nil:
		g.paths[name] = path
	case !fault.Is(err, fault.User):
		g.worst = printed
	case g.worst == nil:
		g.worst = usage(printed)
	}
}

// printPaths prints those that there are, in the order in which they were asked for.
func (a *app) printPaths(names []string, paths map[string]string) {
	for _, name := range names {
		if path, ok := paths[name]; ok {
			fmt.Fprintln(a.out, path)
		}
	}
}

// getBuild makes one build, and says what came of it.
func (a *app) getBuild(ctx context.Context, name, adapter string) (path string, err error) {
	began := time.Now()
	if version, ok := strings.CutPrefix(name, builder.TypedClientPrefix); ok {
		b, err := a.builder().TypedClient(ctx, version)
		if err != nil {
			return "", err
		}
		return b.Path, a.tellBuilt(name, b.Path, began)
	}
	ref, err := servers.ParseReference(name)
	if err != nil {
		return "", usage(err)
	}
	if ref.Scheme == servers.SchemeModule {
		ref.Adapter = adapter
	}
	b, err := a.builder().Build(ctx, ref)
	if err != nil {
		return "", err
	}
	if b.Image != "" {
		fmt.Fprintf(a.err, "%s: in the image store of the Docker engine; its server is %s there\n", name, b.Path)
		return string(servers.SchemeImage) + ":" + b.Image, nil // a reference, for there is no path of it here
	}
	return b.Path, a.tellBuilt(name, b.Path, began)
}

// tellBuilt says whether what was asked for was cached or built, and how long it took.
func (a *app) tellBuilt(name, path string, began time.Time) error {
	built, err := builder.Cached()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(built, func(b gobuild.Built) bool { return b.Path == path })
	switch {
	case i < 0: // it comes with skewsim, or is somebody's own file
		return nil
	case built[i].At.Before(began):
		fmt.Fprintf(a.err, "%s: cached, handed out in %s; built in %s\n", name, seconds(time.Since(began)), seconds(built[i].Took))
	default:
		fmt.Fprintf(a.err, "%s: built in %s\n", name, seconds(built[i].Took))
	}
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }
