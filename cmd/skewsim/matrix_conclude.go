package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
)

// concludeMatrix draws the page of all runs, and prints their outcomes.
func concludeMatrix(a *App, m *campaign.Matrix, took time.Duration) error {
	s := m.State()
	if len(s.Cells) == 0 {
		fmt.Fprintf(a.Out, "shard %s has nothing to run: there are more shards than sets of servers\n", s.Shard)
		return screen.Excluded(a.Out, s.Excluded)
	}
	at, err := filepath.EvalSymlinks(m.Dir())
	if err != nil {
		return err
	}
	g := gather.Into(at)
	g.AddCells(m.Dir(), s)
	merged, err := writeMerged(a, m.Dir(), g)
	if err != nil {
		return err
	}
	if err := screen.Matrix(a.Out, s, took); err != nil {
		return err
	}
	return withMerged(exitOf(s), merged)
}

// withMerged returns the error of the matrix, or that of its merged runs if it is worse: then
// somebody changed the state or the runs.
func withMerged(err error, m result.Merged) error {
	settled := err != nil && !FoundImpacts(err)
	if m.Verdict == term.Fail && !(settled && fault.Is(err, fault.Verdict)) || m.Totals.Unknown > 0 && !settled {
		return VerdictError{Verdict: m.Verdict}
	}
	return err
}

// exitOf gives the exit code of a matrix: that of the worst of its cells.
func exitOf(s matrix.State) error {
	var all []campaign.Ended
	add := func(o engine.Outcome) { all = append(all, campaign.Ended{Outcome: o}) }
	notApplicable := 0
	for _, c := range s.Cells {
		switch {
		case c.Phase == matrix.NotApplicable:
			if notApplicable++; notApplicable == len(s.Cells) && s.Shard == nil {
				return fault.ByUser(errors.New("nothing was played: no scenario applies to what was built: name others, or other pairs"))
			}
		case c.Phase != matrix.Done || c.Earlier:
			add(engine.Outcome{Err: context.Canceled})
		case c.Outcome == matrix.Refused && c.Verdict != term.Fail && c.Verdict != term.Impacts:
			add(engine.Outcome{Err: fault.ByUser(errors.New(c.Reason))})
		case term.Verdicts().Has(c.Verdict):
			add(engine.Outcome{Verdict: c.Verdict})
		default:
			add(engine.Outcome{Verdict: term.Unknown})
		}
	}
	return ErrorOfRun(campaign.Worst(all))
}
