package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/builder"
)

// buildRow is one build as builds list -o json shows it.
type buildRow struct {
	Reference string    `json:"reference"` // kube-apiserver@v1.36.3, source:/home/me/kubernetes
	Version   string    `json:"version"`
	Source    string    `json:"source"` // in words: what kind of thing it was built from
	Digest    string    `json:"digest"`
	Size      int64     `json:"size"` // bytes
	Toolchain string    `json:"toolchain"`
	Built     time.Time `json:"built"`
	Used      time.Time `json:"used"`    // when it was last handed out
	Seconds   float64   `json:"seconds"` // it took to build
	// Substituted are the modules of which it has another version than its release.
	Substituted []string `json:"substituted,omitempty"`
	// From is the address or the file that it was taken from; absent if it was built.
	From    string `json:"from,omitempty"`
	Damaged bool   `json:"damaged,omitempty"` // the executable is not what was built
	Path    string `json:"path"`
}

func newBuildsList(a *App) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the cached builds",
		Long: `list shows the cached builds: the name of each, its source, when it was built, how long
that took, and when it was last used. SUBSTITUTED lists the modules whose version differs
from the release's. FROM is where a binary was taken from that was not built from source. A damaged build is rebuilt when it is next needed.`,
		Example: "  skewsim builds list\n  skewsim builds list -o json",
		Args:    Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			built, err := builder.Cached()
			if err != nil {
				return err
			}
			var rows []buildRow
			for _, b := range built {
				rows = append(rows, rowOf(b))
			}
			now := time.Now()
			header := []string{"BUILD", "VERSION", "SOURCE", "DIGEST", "SIZE", "GO", "AGE", "USED", "TOOK", "SUBSTITUTED", "FROM"}
			return screen.Rows(a.Out, output, rows, header, func(r buildRow) []string { return r.columns(now) })
		},
	}
	OutputFlag(c, &output)
	return c
}

func rowOf(b build.Built) buildRow {
	return buildRow{
		Reference: builder.NameOf(b), Version: b.Version, Source: builder.SourceOf(b), Digest: b.Digest, Size: b.Size, Toolchain: b.Toolchain,
		Built: b.At, Used: b.Used, Seconds: b.Took.Seconds(), Substituted: b.Substituted, From: b.From, Damaged: b.Damaged, Path: b.Path,
	}
}

func (r buildRow) columns(now time.Time) []string {
	size := megabytes(r.Size)
	if r.Damaged {
		size = "damaged"
	}
	return []string{
		r.Reference, r.Version, r.Source, r.Digest[:min(12, len(r.Digest))], size, cmp.Or(r.Toolchain, "unknown"),
		ago(now, r.Built), ago(now, r.Used), fmt.Sprintf("%.0fs", r.Seconds), cmp.Or(strings.Join(r.Substituted, ", "), "none"), cmp.Or(r.From, "source"),
	}
}

func megabytes(size int64) string { return fmt.Sprintf("%d MB", size>>20) }

// ago is how long ago something was, in its largest unit.
func ago(now, then time.Time) string {
	const day = 24 * time.Hour
	switch past := max(0, now.Sub(then)); {
	case past < time.Minute:
		return fmt.Sprintf("%ds", past/time.Second)
	case past < time.Hour:
		return fmt.Sprintf("%dm", past/time.Minute)
	case past < 2*day:
		return fmt.Sprintf("%dh", past/time.Hour)
	default:
		return fmt.Sprintf("%dd", past/day)
	}
}
