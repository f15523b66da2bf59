package play

import (
	"os"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Request says what to sweep.
type Request struct {
	// Ends are the releases, with the options of their servers in both laps. They may not have
	// stages of gates.
	engine.Ends
	// Scope is the part of the comparison that is played.
	sweep.Scope
	Seed  int64
	Store engine.Store
	// Dir is the directory of the sweep, which replaces an earlier sweep there.
	Dir string
	// Timeout is how long the sweep may take, without builds.
	Timeout time.Duration
	// Baseline is the sweep.json of an earlier sweep, Allow the file with the rows that are
	// accepted, Write the directory for scenarios; "": none.
	Baseline, Allow, Write string
	// Plan ends the sweep before its first run: the rows are not exercised.
	Plan bool
	// Command is what repeats the sweep, less --server.
	Command string
}

// isFile reports whether a name is that of what exists and is no directory.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return name != "" && err == nil && !info.IsDir()
}

// Check refuses values that are invalid for every pair.
func (r Request) Check() error {
	switch {
	case r.Timeout <= 0:
		return fault.Optionf("{timeout} %s: must be more than nothing", r.Timeout)
	case r.Shards != 0 && (r.Shard < 1 || r.Shard > r.Shards):
		return fault.Optionf("{shard} %d/%d: shards are numbered from 1/%d to %d/%d", r.Shard, r.Shards, r.Shards, r.Shards, r.Shards)
	case isFile(r.Write):
		return fault.Optionf("{write} %s: it is a file; name a directory for scenarios", r.Write)
	case strings.TrimSpace(r.Pair) == "":
		return fault.Optionf("name a pair of releases, such as kube-apiserver@v1.36.3..v1.37.2")
	}
	return r.Store.Check()
}
