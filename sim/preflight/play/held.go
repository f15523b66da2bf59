package play

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/allow"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Held are the files of the user that findings are held against.
type Held struct {
	// Allow is the file with the findings that are accepted, Baseline the preflight.json of an earlier
	// preflight; "": none.
	Allow, Baseline string

	list    allow.List
	earlier *preflight.Result
}

// Read reads the files.
func (h *Held) Read() (err error) {
	if h.Allow != "" {
		if h.list, err = allow.Load(h.Allow); err != nil {
			return fault.ByUser(fault.Optionf("{allow}: %w", err))
		}
	}
	if h.Baseline == "" {
		return nil
	}
	earlier, err := Read(h.Baseline)
	if err != nil {
		return fault.ByUser(fault.Optionf("{baseline} %w", err))
	}
	h.earlier = &earlier
	return nil
}

// Hold marks the findings of a result that are accepted on a day, and those that the earlier
// preflight has too. It returns an error for lines whose last day is over.
func (h Held) Hold(r *preflight.Result, day time.Time) error {
	use := h.list.On(day)
	for i := range r.Hops {
		hop := &r.Hops[i]
		for _, all := range [][]preflight.Finding{hop.Findings, hop.Baseline} {
			for k := range all {
				accept(use, &all[k])
			}
		}
		hop.Grade(r.Source)
	}
	report := use.Report(false)
	if r.Ended == "" { // what was not played is not gone
		r.Notes = append(r.Notes, report.Notes(h.Allow)...)
	}
	if h.earlier != nil {
		r.Compare(h.Baseline, *h.earlier)
	}
	return fault.Wrap(fault.Verdict, report.Err(h.Allow))
}

func accept(use *allow.Use, f *preflight.Finding) {
	s := allow.Subject{Group: f.Group, Kind: f.Kind, Namespace: f.Namespace, Name: f.Name, Path: f.Path, Effect: f.Outcome.Effect(), Direction: string(f.Direction)}
	if l, accepted := use.Accepts(s); accepted {
		f.Accepted, f.Until, f.Known = l.Owner, l.Until, l.Issue
	}
}

// dataFile is the name of the data in the directory of a preflight.
const dataFile = "preflight.json"

// Read reads the data of a finished preflight: the file, or the directory that has it.
func Read(name string) (r preflight.Result, err error) {
	if filepath.Ext(name) != ".json" {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return r, fmt.Errorf("%s: is not the preflight.json of a preflight, and not a directory that has one", name)
		}
		name = filepath.Join(name, dataFile)
	}
	text, err := rundir.ReadRegular(name)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return r, fmt.Errorf("%s: %w: name the preflight.json of an earlier preflight, or its directory", name, at.Err)
	}
	if err != nil {
		return r, err
	}
	if r, err = preflight.Decode(text); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
