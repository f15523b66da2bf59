package reports

import (
	"io"

	preflightreports "github.com/skewsim/skewsim/reports/preflight"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/rundir"
)

// PreflightOptions are the options of the formats of a preflight.
type PreflightOptions = preflightreports.Options

// PreflightFile is a file about a preflight.
type PreflightFile = preflightreports.File

// PreflightMember is the preflight of one cluster of a fleet.
type PreflightMember = preflightreports.Member

// PreflightFiles are all files that a preflight leaves in its directory: its data first, then its
// page.
func PreflightFiles() []PreflightFile { return preflightreports.Files() }

// WritePreflight writes all files of a preflight.
func WritePreflight(dir string, r preflight.Result) error {
	for _, f := range PreflightFiles() {
		if err := rundir.WriteFile(dir, f.Name, func(w io.Writer) error { return f.Write(w, r, PreflightOptions{}) }); err != nil {
			return err
		}
	}
	return nil
}

// SharePreflight writes all files of a preflight with fingerprints instead of names.
func SharePreflight(dir string, r preflight.Result) error { return preflightreports.Share(dir, r) }

// PreflightText writes the summary of a preflight for a terminal. Options.Dir is its directory.
func PreflightText(w io.Writer, r preflight.Result, o PreflightOptions) error {
	return preflightreports.Text(w, r, o)
}

// PreflightFleet writes one page about the preflights of many clusters.
func PreflightFleet(w io.Writer, members []PreflightMember) error {
	return preflightreports.Fleet(w, members)
}

// PreflightPage and PreflightFleetPage are the names of the pages.
const (
	PreflightPage      = preflightreports.Page
	PreflightFleetPage = preflightreports.FleetPage
)

// PreflightFleetText writes a line for each direction of each cluster, and where the page is.
func PreflightFleetText(w io.Writer, members []PreflightMember, page string) error {
	return preflightreports.FleetText(w, members, page)
}
