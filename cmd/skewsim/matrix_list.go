package main

import (
	"io"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/campaign/github"
)

// listFormats returns the formats of --list.
func listFormats() []string { return []string{"text", "json", "github"} }

// printLayout prints the cells of a matrix in a format. shards is the number of jobs of a pair
// in the format github.
func printLayout(w io.Writer, m *campaign.Layout, format string, shards int) error {
	switch format {
	case "json":
		return PrintJSON(w, m.State())
	case "github":
		jobs, err := github.Jobs(m, shards)
		if err != nil {
			return fault.ByUser(err)
		}
		return printJSON(w, map[string]any{"include": jobs}, "")
	}
	return screen.Layout(w, m)
}
