package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
)

func newBuilds(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "builds",
		Short: "Make, list and remove cached builds",
		Long: `builds looks after the cache of compiled API servers, and of the typed clients
of their releases: $SKEWSIM_CACHE, else skewsim in the user's cache directory.
run makes what it needs by itself. Where the module proxy withholds a module, the
nearest later version stands in, unless $SKEWSIM_EXACT is set; list tells which. The reference server, frobber@1.1, is never
cached: it comes with skewsim, and builds get prints where it is.`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newBuildsGet(a), newBuildsList(a), newBuildsRemove(a))
	return c
}

func newBuildsGet(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "get BUILD...",
		Short:   "Make builds, or find them in the cache, and print their paths",
		Example: "  skewsim builds get kube-apiserver@v1.37.0 typed-client@v1.37.0\n  skewsim builds get kube-apiserver@v1.36 # its newest patch that is built, else that can be had\n  skewsim builds get frobber@1.1+required",
		Args:    atLeastOne("builds, such as kube-apiserver@v1.37.0"),
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args {
				if err := a.getBuild(c.Context(), name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) getBuild(ctx context.Context, name string) error {
	if version, ok := strings.CutPrefix(name, typedName); ok {
		b, err := a.typedBuild(ctx, version)
		if err != nil {
			return err
		}
		fmt.Fprintln(a.out, b.Path)
		return nil
	}
	ref, err := servers.ParseReference(name)
	if err != nil {
		return usage(err)
	}
	b, err := a.build(ctx, ref)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.out, b.Path)
	return nil
}

// builtRow is one build as builds list -o json shows it.
type builtRow struct {
	Reference string    `json:"reference"`
	Digest    string    `json:"digest"`
	Size      int64     `json:"size"` // bytes
	Toolchain string    `json:"toolchain"`
	Built     time.Time `json:"built"`
	Seconds   float64   `json:"seconds"` // it took to build
	// Substituted are the modules of which it has another version than its release.
	Substituted []string `json:"substituted,omitempty"`
	Path        string   `json:"path"`
}

func newBuildsList(a *app) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the cached builds",
		Example: "  skewsim builds list",
		Args:    exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			built, err := cached()
			if err != nil {
				return err
			}
			var rows []builtRow
			for _, b := range built {
				rows = append(rows, builtRow{reference(b), b.Digest, b.Size, b.Toolchain, b.At, b.Took.Seconds(), b.Substituted, b.Path})
			}
			return printAll(a.out, output, rows, []string{"BUILD", "DIGEST", "SIZE", "GO", "BUILT", "TOOK", "SUBSTITUTED"}, func(r builtRow) []string {
				return []string{r.Reference, r.Digest[:min(12, len(r.Digest))], fmt.Sprintf("%d MB", r.Size>>20), r.Toolchain,
					r.Built.Format(time.DateTime), fmt.Sprintf("%.0fs", r.Seconds), cmp.Or(strings.Join(r.Substituted, ", "), "none")}
			})
		},
	}
	outputFlag(c, &output)
	return c
}

func newBuildsRemove(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "rm BUILD...",
		Short:   "Remove builds from the cache",
		Example: "  skewsim builds rm kube-apiserver@v1.36.3",
		Args:    atLeastOne("builds, as skewsim builds list shows them"),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				if err := a.removeBuild(name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) removeBuild(name string) error {
	cache, err := gobuild.Open("")
	if err != nil {
		return err
	}
	built, err := cache.List()
	if err != nil {
		return err
	}
	removed := 0
	for _, b := range built {
		if reference(b) != name {
			continue
		}
		if err := cache.Remove(b.Key); err != nil {
			return err
		}
		removed++
		fmt.Fprintf(a.out, "%s: removed\n", name)
	}
	if removed == 0 {
		return usage(fmt.Errorf("%q: not in the cache; see skewsim builds list", name))
	}
	return nil
}

func cached() ([]gobuild.Built, error) {
	dir, err := gobuild.Place("")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // to look makes none
	}
	cache, err := gobuild.Open("")
	if err != nil {
		return nil, err
	}
	return cache.List()
}

func reference(b gobuild.Built) string { return b.Name + "@" + b.Version }
