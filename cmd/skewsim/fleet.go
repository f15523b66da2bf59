package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/play"
	"github.com/skewsim/skewsim/sim/rundir"
)

// fleetDir is where the page of a fleet is written.
const fleetDir = "out/fleet"

// runFleet writes one page about finished preflights. It plays nothing.
func runFleet(a *App, f options) error {
	if len(f.sources) == 0 || f.to != "" || f.held.Baseline != "" {
		return fault.ByUser(fault.Optionf("{fleet}: name the directories of finished preflights, without {to} and {baseline}"))
	}
	var members []reports.PreflightMember
	var results []preflight.Result
	var held, broken []error
	for _, dir := range f.sources {
		m, err := f.member(dir)
		if err != nil {
			broken = append(broken, fault.ByUser(fault.Optionf("{fleet}: %w", err)))
			m.Result.Ended = err.Error()
		} else if f.held.Allow != "" {
			held = append(held, f.held.Hold(&m.Result, time.Now()))
		}
		members, results = append(members, m), append(results, m.Result)
	}
	if len(broken) == len(members) {
		return errors.Join(broken...)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	err := rundir.WriteFile(f.dir, reports.PreflightFleetPage, func(w io.Writer) error { return reports.PreflightFleet(w, members) })
	if err == nil {
		err = reports.PreflightFleetText(a.Out, members, filepath.Join(f.dir, reports.PreflightFleetPage))
	}
	if err = errors.Join(append(append(broken, held...), err)...); err != nil {
		return err
	}
	return ErrorOf(f.verdict(results...))
}

// member reads the preflight of a cluster. One that cannot be read is on the page, and says why.
func (f options) member(dir string) (m reports.PreflightMember, err error) {
	m.Name = filepath.Clean(dir)
	if m.Result, err = play.Read(dir); err == nil {
		m.Link, err = relative(f.dir, dir)
	}
	return m, err
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
