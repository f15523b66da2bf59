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

// asJudged is a cell as its result has it: somebody may have changed the state since.
// What the result cannot tell stands: that a run whose record passes was ended early, or
// that an object was refused.
func asJudged(c matrix.Cell, dir string) matrix.Cell {
	source, _ := readRun(dir)
	v := source.Result.Verdict
	if source.Problem != "" || c.Verdict == term.Unknown && (v == term.Pass || c.Outcome == words[exitUsage]) {
		return c
	}
	code := map[term.VerdictWord]int{term.Pass: exitExpected, term.Fail: exitDiffers, term.Unknown: exitUnjudged}[v]
	c.Verdict, c.Outcome, c.Reason = v, words[code], source.Result.Reason
	return c
}

// unplayed stands on the page for a cell that left no result.
func unplayed(c matrix.Cell) result.Source {
	why := c.Reason
	switch {
	case c.Phase == matrix.Interrupted:
		why = "interrupted; --resume plays it again"
	case c.Phase == matrix.Running:
		why = "skewsim was ended meanwhile; --resume plays it again"
	case why == "":
		why = "its turn did not come"
	}
	return result.Source{Problem: fmt.Sprintf("%s with %s was not played: %s", c.Scenario, c.Pair, why)}
}
