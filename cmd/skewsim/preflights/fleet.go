package preflights

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/session"
	"github.com/skewsim/skewsim/sim/rundir"
)

// fleetDir is where the page of a fleet is written.
const fleetDir = "out/fleet"

// runFleet writes one page about finished preflights. It plays nothing.
func runFleet(a *app.App, f options) error {
	if len(f.sources) == 0 || f.to != "" || f.held.Baseline != "" {
		return fault.ByUser(fault.Optionf("{fleet}: name the directories of finished preflights, without {to} and {baseline}"))
	}
	var members []reports.PreflightMember
	var results []preflight.Result
	var held []error
	for _, dir := range f.sources {
		r, err := session.Read(dir)
		if err != nil {
			return fault.ByUser(fmt.Errorf("fleet: %w", err))
		}
		if f.held.Allow != "" {
			held = append(held, f.held.Hold(&r, time.Now()))
		}
		results = append(results, r)
		link, err := relative(f.dir, dir)
		if err != nil {
			return err
		}
		members = append(members, reports.PreflightMember{Name: filepath.Clean(dir), Link: link, Result: r})
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	err := rundir.WriteFile(f.dir, reports.PreflightFleetPage, func(w io.Writer) error { return reports.PreflightFleet(w, members) })
	if err == nil {
		err = reports.PreflightFleetText(a.Out, members, filepath.Join(f.dir, reports.PreflightFleetPage))
	}
	if err = errors.Join(append(held, err)...); err != nil {
		return err
	}
	return f.verdict(results...)
}

// relative returns the address of a preflight's page beside the page of the fleet.
func relative(from, dir string) (string, error) {
	base, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	at, err := filepath.Rel(base, to)
	return filepath.ToSlash(filepath.Join(at, reports.PreflightPage)), err
}
