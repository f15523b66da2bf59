package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
)

// concludeMatrix draws the page of all runs, and tells what they came to.
func (a *app) concludeMatrix(m *layout, dir *matrixDir, took time.Duration) error {
	s := dir.now()
	if len(s.Cells) == 0 {
		fmt.Fprintf(a.out, "shard %s has nothing to play: there are more shards than journeys\n", m.shard)
		return printExcluded(a.out, s.Excluded)
	}
	at, err := filepath.EvalSymlinks(dir.path)
	if err != nil {
		return err
	}
	g := gathering{out: at}
	g.gatherCells(dir.path, s)
	merged, err := a.writeMerged(dir.path, g)
	if err != nil {
		return err
	}
	if err := printMatrix(a.out, s, took); err != nil {
		return err
	}
	return withMerged(exitOf(s), merged)
}

// withMerged is what a matrix came to, or its runs, if that is worse: then its state was
// changed, or they were.
func withMerged(err error, m result.Merged) error {
	settled := err != nil && !foundImpacts(err)
	if m.Verdict == term.Fail && !(settled && fault.Is(err, fault.Verdict)) || m.Totals.Unknown > 0 && !settled {
		return verdictError{verdict: m.Verdict}
	}
	return err
}

// exitOf gives the exit code of a matrix: that of the worst of its cells.
func exitOf(s matrix.State) error {
	var all []ended
	inapt := 0
	for _, c := range s.Cells {
		switch {
		case c.Phase == matrix.Inapt:
			if inapt++; inapt == len(s.Cells) && s.Shard == nil {
				return usage(errors.New("nothing was played: no scenario applies to what was built: name others, or other pairs"))
			}
		case c.Phase != matrix.Done || c.Earlier:
			all = append(all, ended{err: context.Canceled})
		case c.Verdict == term.Fail:
			all = append(all, ended{err: verdictError{verdict: term.Fail}})
		case c.Verdict == term.Impacts:
			all = append(all, ended{err: verdictError{verdict: term.Impacts}})
		case c.Outcome == outcomeRefused:
			all = append(all, ended{err: usage(errors.New(c.Reason))})
		case c.Verdict != term.Pass:
			all = append(all, ended{err: verdictError{verdict: term.Unknown}})
		}
	}
	return worst(all)
}
