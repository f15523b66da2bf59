package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// buildsMade are the builds that a cell is played with, and the typed clients.
func buildsMade(b made) (all []matrix.Build) {
	for _, role := range []term.Role{term.Old, term.New} {
		s := b.servers[role]
		all = append(all, matrix.Build{Role: role, Reference: s.Reference, Version: s.Version, Digest: s.Digest})
	}
	for _, role := range []term.Role{term.Old, term.New, term.Older} {
		if c, ok := b.clients[role]; ok {
			all = append(all, matrix.Build{Role: role, Reference: typedName + c.Version, Version: c.Version, Digest: c.Digest, Client: true})
		}
	}
	return all
}

// keyOf is a digest of all that a cell's result hangs on: skewsim, the plan with its
// seed, what is played with, and where the store is and how it writes.
func keyOf(t task, builds []matrix.Build) (string, error) {
	raw, err := json.Marshal([]any{toolVersion(), t.plan, builds, t.flags.store.fsync, t.flags.store.etcd})
	return digest(raw), err
}

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// digestOf is that of a run's result; "": it has none that can be read.
func digestOf(dir string) string {
	raw, err := readRegular(filepath.Join(dir, resultFile))
	if err != nil {
		return ""
	}
	return digest(raw)
}

// unplayed stands on the page for a cell that left no result.
func unplayed(c matrix.Cell) result.Source {
	why := c.Reason
	if why == "" {
		why = "its turn did not come"
	}
	return result.Source{Problem: fmt.Sprintf("%s with %s was not played: %s", c.Scenario, c.Pair, why)}
}
