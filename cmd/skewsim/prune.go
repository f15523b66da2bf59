package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
)

// pruneFlags are those of builds prune, as they are written.
type pruneFlags struct {
	olderThan, maxSize string
	keep               int
	dryRun             bool
}

func newBuildsPrune(a *App) *cobra.Command {
	var f pruneFlags
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove builds that have not been used for some time, and leftovers",
		Long: `prune removes builds from the cache. With --older-than it removes builds that have not
been used for that long. With --max-size it removes the least recently used builds until
the rest fits. With --keep alone it removes all other builds. The builds that --keep
counts always stay. Without these flags it removes only leftovers: files of builds that
died, damaged entries, stale locks, and build logs older than a month. It never removes
what another process uses or builds.`,
		Example: "  skewsim builds prune --older-than 30d --keep 4\n  skewsim builds prune --max-size 20GB --dry-run",
		Args:    Exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := f.pruning(c.Flags().Changed("keep"))
			if err != nil {
				return fault.ByUser(err)
			}
			return prune(a.Out, p)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.olderThan, "older-than", "", "remove builds that have not been used for this `duration`: 30d, 12h")
	flags.IntVar(&f.keep, "keep", 0, "`number` of most recently used builds to keep")
	flags.StringVar(&f.maxSize, "max-size", "", "remove the least recently used builds until the rest has at most this `size`: 20GB, 500MB")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what would be removed, and remove nothing")
	return c
}

func (f pruneFlags) pruning(keeps bool) (p build.Pruning, err error) {
	p.DryRun, p.Keep = f.dryRun, f.keep
	if keeps && f.keep < 1 {
		return p, fmt.Errorf("--keep %d: must be greater than 0; skewsim builds rm removes builds by name", f.keep)
	}
	if f.olderThan != "" {
		if p.OlderThan, err = builder.ParseAge(f.olderThan); err != nil {
			return p, fmt.Errorf("--older-than %q: want days or hours, such as 30d or 12h", f.olderThan)
		}
	}
	if f.maxSize != "" {
		if p.MaxSize, err = builder.ParseSize(f.maxSize); err != nil {
			return p, fmt.Errorf("--max-size %q: want a size, such as 20GB or 500MB", f.maxSize)
		}
	}
	return p, nil
}

func prune(w io.Writer, p build.Pruning) error {
	cache, err := build.OpenCache("")
	if err != nil {
		return err
	}
	all, err := cache.Prune(p, time.Now())
	printPruned(w, all, p.DryRun)
	return err
}

// printPruned prints a line for each build, and one for all leftovers together.
func printPruned(w io.Writer, all []build.Pruned, dry bool) {
	verb := "removed"
	if dry {
		verb = "would be removed"
	}
	var builds, leftovers int
	var size int64
	for _, one := range all {
		switch {
		case one.Spared != "":
			fmt.Fprintf(w, "%s (%.12s): stays: %s\n", builder.NameOf(one.Built), one.Digest, one.Spared)
			continue
		case one.Leftover != "":
			leftovers++
		default:
			builds++
			what := megabytes(one.Size)
			if one.Damaged {
				what = "damaged"
			}
			fmt.Fprintf(w, "%s (%.12s): %s, %s\n", builder.NameOf(one.Built), one.Digest, verb, what)
		}
		size += one.Size
	}
	fmt.Fprintf(w, "%s and %s %s, %s\n", term.Numbered(builds, "build"), term.Numbered(leftovers, "leftover"), verb, megabytes(size))
}
