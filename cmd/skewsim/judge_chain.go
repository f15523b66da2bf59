package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/rundir"
)

// judgeChain judges every leg of a chain again, and the whole chain.
func judgeChain(w io.Writer, dir string, allowImpacts bool) error {
	v, err := rundir.ReadChain(dir)
	if err != nil {
		return err
	}
	v, unread, err := rundir.Rejudge(dir, v, reports.Rejudged(allowImpacts, reports.Judgements()))
	if err != nil {
		return err
	}
	return errors.Join(reports.RefuseLegs(dir, v, unread), reports.WriteChain(dir, v, allowImpacts), screen.Chain(w, dir, v), ErrorOf(v.Verdict))
}

// reportChain writes the reports of a chain, and of every leg, again. A leg that
// left nothing to judge has none, which is an error, as it is of a run.
func reportChain(w io.Writer, dir string, allowImpacts bool) error {
	v, err := rundir.ReadChain(dir)
	if err != nil {
		return err
	}
	v, unread, err := rundir.Rejudge(dir, v, reports.Rejudged(allowImpacts, reports.Judgements(), reports.Drawings()))
	if err != nil {
		return err
	}
	for _, leg := range v.Legs {
		if !unread[leg.Directory] {
			fmt.Fprintln(w, screen.ReportPath(rundir.RecordedLegDir(dir, leg)))
			continue
		}
		err = errors.Join(err, fmt.Errorf("leg %s: %s", leg.Directory, leg.Reason))
	}
	return errors.Join(reports.WriteChain(dir, v, allowImpacts), reports.RefuseLegs(dir, v, unread), err)
}
