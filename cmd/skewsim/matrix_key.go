package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
)

// buildsMade are the builds that a cell is played with, and the typed clients.
func buildsMade(b engine.Parts) (all []matrix.Build) {
	for _, role := range []term.Role{term.Old, term.New} {
		s := b.Servers[role]
		all = append(all, matrix.Build{Role: role, Reference: s.Reference, Version: s.Version, Digest: s.Digest})
	}
	for _, role := range []term.Role{term.Old, term.New, term.Older} {
		if c, ok := b.Clients[role]; ok {
			all = append(all, matrix.Build{Role: role, Reference: builder.TypedClientPrefix + c.Version, Version: c.Version, Digest: c.Digest, Client: true})
		}
	}
	return all
}

// surroundings are what all results of a matrix hang on.
type surroundings struct {
	tool  string // skewsim, as identityOf has it
	store string // the digest of the image of --store; "": there is none
}

// surroundings finds out what a matrix is played with beside its builds, before any of
// them is made, and before anything of an earlier matrix is removed.
func (a *app) surroundings(ctx context.Context, f engine.Store) (s surroundings, err error) {
	if err := engine.Reachable(ctx, builds{a}, f); err != nil {
		return s, err
	}
	if f.Image != "" {
		_, b, err := builds{a}.EtcdImage(ctx, f.ImageName())
		if err != nil {
			return s, err
		}
		s.store = b.Digest
	}
	s.tool, err = identityOf(toolVersion())
	return s, err
}

// identityOf tells this program from every other: by its version, and where other
// programs have the same, being built of a working tree, by its digest too.
func identityOf(version string) (string, error) {
	if strings.HasPrefix(version, "v") && !strings.HasSuffix(version, "+dirty") {
		return version, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("this program's own file: %w", err)
	}
	sum, err := apiserver.DigestOf(self)
	if err != nil {
		return "", fmt.Errorf("this program's own file: %w", err)
	}
	return version + " " + sum, nil
}

// keyOf is a digest of all that a cell's result hangs on: skewsim, the plan with its
// seed, what is played with, where the store is and how it writes, and which lines of
// expect have expired by the day of the run.
func keyOf(t task, builds []matrix.Build, s surroundings, day time.Time) (string, error) {
	expired := []int{}
	for i, e := range t.Plan.Expect {
		if e.Expired(day) {
			expired = append(expired, i+1)
		}
	}
	raw, err := json.Marshal([]any{s.tool, t.Plan, builds, t.Store.Fsync, t.Store.Etcd, s.store, expired})
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

// asJudged is a cell as it counts with its result. What the result cannot tell stands:
// that an object was refused.
func asJudged(c matrix.Cell, dir string) matrix.Cell {
	source, _ := readRun(dir)
	if source.Problem != "" || isRefused(c) {
		return c
	}
	res := worse(c, source.Result)
	c.Verdict, c.Outcome, c.Reason = res.Verdict, outcomeOf(errorOf(res.Verdict)), res.Reason
	return c
}

// worse is a result as it counts for its cell. Where the cell's state says worse, since
// something ended the run, or since somebody changed either, that counts, and what the
// checks found shows nothing of it.
func worse(c matrix.Cell, res result.Result) result.Result {
	is, has := c.Verdict, res.Verdict
	if !term.Verdicts().Has(is) {
		is = term.Unknown
	}
	if !is.WorseThan(has) {
		return res
	}
	told := fmt.Sprintf("%s says %s, and %s %s: the worse counts", matrixFile, is, resultFile, has)
	if why := strings.TrimPrefix(strings.TrimPrefix(c.Reason, told), ": "); why != "" { // it may say so already
		told += ": " + why
	}
	res.Verdict, res.Reason, res.Checks = is, told, nil
	return res
}

// isRefused tells whether a cell's object was refused, or a flag: its run shows nothing.
func isRefused(c matrix.Cell) bool { return c.Outcome == outcomeRefused && c.Verdict != term.Fail }
