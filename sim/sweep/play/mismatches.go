package play

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// serverLog is the log of a server of a release.
type serverLog struct {
	role term.Role
	path string
}

// logsOf returns the logs of the servers of a judged run.
func logsOf(j rundir.Judged, file func(name string) string) (all []serverLog) {
	for _, s := range j.Judgement.History.Servers {
		if l := (serverLog{s.Role, file(s.Log)}); s.Log != "" && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	return all
}

// addLogs keeps the logs of runs until their lap is over. Runs are played side by side.
func (s *session) addLogs(lap term.Lap, logs []serverLog) {
	s.saying.Lock()
	defer s.saying.Unlock()
	s.logs[lap] = append(s.logs[lap], logs...)
}

// logs returns the logs of the servers on which objects are tried.
func (l lapServers) logs() (all []serverLog) {
	for role, at := range l {
		for _, path := range at.LogPaths() {
			all = append(all, serverLog{role, path})
		}
	}
	return all
}

// keepMismatches keeps what servers of the lap logged of their own validation.
func (s lapRun) keepMismatches(logs []serverLog) error {
	found, err := mismatchesIn(s.lap, logs)
	s.result.Mismatches = sweep.MergedMismatches(append(s.result.Mismatches, found...))
	return err
}

// mismatchesIn returns what logs contain. Runs that share servers have links to one log, which
// counts once.
func mismatchesIn(lap term.Lap, logs []serverLog) (all []sweep.Mismatch, _ error) {
	var read []fs.FileInfo
	for _, l := range logs {
		info, err := os.Stat(l.path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && slices.ContainsFunc(read, func(o fs.FileInfo) bool { return os.SameFile(info, o) }) {
			continue
		}
		if err != nil {
			return all, err
		}
		read = append(read, info)
		found, err := mismatchesOf(l.path)
		if err != nil {
			return all, err
		}
		for _, m := range found {
			all = append(all, sweep.Mismatch{Lap: lap, Release: l.role, Field: m.Field, Error: m.Error, Extra: m.Extra, Shadowed: m.Shadowed, Count: m.Count})
		}
	}
	return all, nil
}

func mismatchesOf(path string) ([]apiserver.Mismatch, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return apiserver.Mismatches(f)
}
