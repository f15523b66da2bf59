package play

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/shell"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/allow"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// held are the files of the user that rows are held against.
type held struct {
	allow    allow.List
	baseline *sweep.Result
}

// hold reads the files of the user, before anything is built.
func (r Request) hold() (h held, err error) {
	if r.Allow != "" {
		if h.allow, err = allow.Load(r.Allow); err != nil {
			return h, fault.Optionf("{allow}: %w", err)
		}
	}
	if r.Baseline == "" {
		return h, nil
	}
	text, err := rundir.ReadRegular(r.Baseline)
	if err != nil {
		return h, fault.Optionf("{baseline}: %w", err)
	}
	baseline, err := sweep.Decode(text)
	if err != nil {
		return h, fault.Optionf("{baseline} %s: %w", r.Baseline, err)
	}
	h.baseline = &baseline
	return h, nil
}

// conclude turns what was played so far into the result, and has its files written.
func (s *session) conclude() error {
	s.result.Rows, s.result.Laps = sweep.Rows(s.rows, s.laps, s.addStored, func(rows []sweep.Row) []sweep.Row {
		return sweep.AddDefinitions(addImmovable(s.immovable, rows), s.scope, s.refusals, s.onceStored)
	}), nil
	s.result.Notes = slices.Concat(s.notes, AdmissionNotes(s.builds), StoredNotes(s.stored), sweep.Disturbed(s.laps))
	s.countUnpatched()
	part := s.scope.IsPart() || s.result.Ended != ""
	s.accepted = accept(s.held.allow.On(s.began), s.result.Rows)
	if !part { // a row may be one that is not played
		s.result.Notes = append(s.result.Notes, s.accepted.Notes(s.request.Allow)...)
	}
	s.result = sweep.Summarize(s.result, s.laps)
	if s.held.baseline != nil {
		s.result.Baseline = sweep.CompareBaseline(s.request.Baseline, *s.held.baseline, s.result)
		if part { // what was not played has not vanished
			s.result.Baseline.Changes = slices.DeleteFunc(s.result.Baseline.Changes, func(c sweep.Change) bool {
				return c.Change == term.RowVanished || c.Change == term.RowBetter && s.result.Ended != ""
			})
		}
	}
	return s.host.Report(s.dir.Path, s.result)
}

// accept marks the rows that lines of an allow-list accept. A row that was neither exercised nor has a
// verdict needs nobody's consent.
func accept(use *allow.Use, rows []sweep.Row) allow.Report {
	for i, r := range rows {
		if l, accepted := use.Accepts(allow.Subject{ID: r.ID, Group: r.Group, Kind: r.Kind, Path: r.Path, Name: r.Name, Difference: r.Difference.Difference, Effect: r.Effect}); accepted {
			rows[i].Accepted, rows[i].Known = l.Owner, l.Issue
		}
	}
	return use.Report(true)
}

// write writes each row that was played as a scenario with the lines that its findings fit.
func (s *session) write() error {
	if s.request.Write == "" || len(s.result.Rows) == 0 {
		return nil
	}
	own := pairIn(s.request, s.request.Write)
	written := map[string]bool{} // rows with one object have one scenario
	first := ""
	for _, row := range s.result.Rows {
		for _, lap := range s.laps {
			if lap.Lap != row.Lap || written[string(lap.Lap)+row.Object] {
				continue
			}
			lap.Settings = s.withOwnGates(lap, row)
			lap.Settings.Releases.Pair = own
			lap.Settings.Releases.Server = serverIn(s.builds[term.New])
			g, err := sweep.Write(row, lap, s.host.Lines)
			if errors.Is(err, sweep.ErrNoObject) {
				continue
			}
			if err == nil {
				err = writeFiles(s.request.Write, g)
			}
			if switched, is := s.switching(lap.Settings, row); is && err == nil {
				lap.Settings = switched
				var alone sweep.Generated
				if alone, err = sweep.WriteGate(row, lap); err == nil {
					err = writeFiles(s.request.Write, alone)
				}
			}
			if err != nil {
				return fmt.Errorf("row %s: %w", row.ID, err)
			}
			written[string(lap.Lap)+row.Object] = true
			first = cmp.Or(first, filepath.Join(s.request.Write, g.File))
		}
	}
	if len(written) == 0 {
		return fmt.Errorf("no scenario was written to %s: no row was played", s.request.Write)
	}
	s.say("%s written to %s; play one: %s", term.Numbered(len(written), "scenario"), s.request.Write, s.playing(first))
	return nil
}

// playing returns the command that plays a scenario which was written, on the sweep's builds.
func (s *session) playing(file string) string {
	command := "skewsim run " + shell.Quote(file) + " --pair " + shell.Quote(s.request.Pair)
	if s.request.Adapter != "" {
		command += " --adapter " + shell.Quote(s.request.Adapter)
	}
	if s.request.Webhooks != "" {
		command += " --webhooks " + shell.Quote(s.request.Webhooks)
	}
	return engine.WithServer(command, s.builds[term.New])
}

// pairIn returns the pair of a sweep as a scenario in a folder names it, with folders relative to its own; "" if
// it may not name the pair: a folder is outside of its own, or a build is a program that its user chooses.
func pairIn(r Request, folder string) string {
	old, new, err := servers.ParsePair(r.Pair)
	if err != nil || old.Executes() || new.Executes() {
		return ""
	}
	own := r.Pair
	names := []string{old.String(), new.String()}
	for i, ref := range []servers.Reference{old, new} {
		if ref.Scheme != servers.SchemeManifests || ref.Module != "" {
			continue
		}
		from, errFrom := filepath.Abs(folder)
		at, errAt := filepath.Abs(ref.Path)
		name, err := filepath.Rel(from, at)
		if errors.Join(errFrom, errAt, err) != nil || !filepath.IsLocal(name) {
			return ""
		}
		ref.Path = filepath.ToSlash(name)
		names[i] = ref.String()
		own = strings.Join(names, "..")
	}
	return own
}

// serverIn returns the server of definitions as a scenario names it; "" if it may not: its user chooses it.
func serverIn(b servers.Build) string {
	if b.Installs == nil {
		return ""
	}
	ref, err := servers.ParseReference(b.Installs.Server.Reference)
	if err != nil || ref.Executes() {
		return ""
	}
	return ref.String()
}

// writeFiles writes the files of a scenario into a folder. It replaces no file with other content.
func writeFiles(folder string, g sweep.Generated) error {
	for name, content := range g.Files {
		at := filepath.Join(folder, filepath.FromSlash(name))
		if before, err := os.ReadFile(at); err == nil && !bytes.Equal(before, content) {
			return fault.Optionf("{write} %s: is there already, with other content: name another directory", at)
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
