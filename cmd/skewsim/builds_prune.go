package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/sim/campaign"
)

// pruneFlags are those of builds prune, as they are written.
type pruneFlags struct {
	olderThan, maxSize string
	keep               int
	dryRun             bool
}

func newBuildsPrune(a *app) *cobra.Command {
	var f pruneFlags
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove builds that were not used for long, and leftovers",
		Long: `prune removes builds from the cache: those that were not handed out for longer than
--older-than; those that were handed out longest ago, until the rest is no larger than
--max-size; with neither, all but the --keep that were handed out last. The last ones
that --keep counts always stay. Without any of these it removes leftovers alone: what
builds that died have left, damaged entries, locks of builds that are gone, and what
builds said of themselves a month ago. What another process uses or builds stays.`,
		Example: "  skewsim builds prune --older-than 30d --keep 4\n  skewsim builds prune --max-size 20GB --dry-run",
		Args:    exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := f.pruning(c.Flags().Changed("keep"))
			if err != nil {
				return usage(err)
			}
			return prune(a.out, p)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.olderThan, "older-than", "", "remove what was not used for this `long`: 30d, 12h")
	flags.IntVar(&f.keep, "keep", 0, "keep this `number` of those that were used last")
	flags.StringVar(&f.maxSize, "max-size", "", "remove the longest unused until the rest has this `size`: 20GB, 500MB")
	flags.BoolVar(&f.dryRun, "dry-run", false, "remove nothing, and print what would be removed")
	return c
}

func (f pruneFlags) pruning(keeps bool) (p gobuild.Pruning, err error) {
	p.DryRun, p.Keep = f.dryRun, f.keep
	if keeps && f.keep < 1 {
		return p, fmt.Errorf("--keep %d: must be more than nothing; skewsim builds rm removes builds by name", f.keep)
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

func prune(w io.Writer, p gobuild.Pruning) error {
	cache, err := gobuild.Open("")
	if err != nil {
		return err
	}
	all, err := cache.Prune(p, time.Now())
	printPruned(w, all, p.DryRun)
	return err
}

// printPruned prints a line for each build, and one for all leftovers together.
func printPruned(w io.Writer, all []gobuild.Pruned, dry bool) {
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
	fmt.Fprintf(w, "%s and %s %s, %s\n", campaign.Numbered(builds, "build"), campaign.Numbered(leftovers, "leftover"), verb, megabytes(size))
}
