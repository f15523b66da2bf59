package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"syscall"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// judgeChain judges every leg of a chain again, and the whole chain.
func (a *app) judgeChain(dir string) error {
	v, err := rundir.ReadChain(dir)
	if err != nil {
		return err
	}
	if v, _, err = rundir.Rejudge(dir, v, a.reporter(reports.Judgements())); err != nil {
		return err
	}
	return errors.Join(a.writeChain(dir, v), a.printChainVerdict(a.out, dir, v), errorOf(v.Verdict))
}

// reportChain writes the reports of a chain, and of every leg, again. A leg that
// left nothing to judge has none, which is an error, as it is of a run.
func (a *app) reportChain(dir string) error {
	v, err := rundir.ReadChain(dir)
	if err != nil {
		return err
	}
	v, unread, err := rundir.Rejudge(dir, v, a.reporter(reports.Judgements(), reports.Drawings()))
	if err != nil {
		return err
	}
	for _, leg := range v.Legs {
		if !unread[leg.Directory] {
			fmt.Fprintln(a.out, reportPath(filepath.Join(dir, "legs", leg.Directory)))
			continue
		}
		err = errors.Join(err, fmt.Errorf("leg %s: %s", leg.Directory, leg.Reason))
	}
	return errors.Join(a.writeChain(dir, v), err)
}

// reporter writes those sets of the files of a judged run.
func (a *app) reporter(sets ...map[string]reports.Writer) func(rundir.Judged) (result.Result, error) {
	return func(j rundir.Judged) (result.Result, error) {
		r := reports.New(j.Judgement.History, j.Judgement.Result, j.Judgement.Ledger)
		r.AllowImpacts = a.allowsImpacts()
		return r.Result, reports.WriteRun(j.Dir, r, sets...)
	}
}

// writeChain writes the files that a chain has above its legs.
func (a *app) writeChain(dir string, v chain.Verdict) error {
	return errors.Join(
		rundir.WriteFile(dir, rundir.ChainFile, func(w io.Writer) error { return reports.ChainJSON(w, v) }),
		rundir.WriteFile(dir, "junit.xml", func(w io.Writer) error { return reports.ChainJUnit(w, v, a.allowsImpacts()) }),
		rundir.WriteFile(dir, "chain.txt", func(w io.Writer) error { return reports.ChainText(w, v, reports.TextOptions{}) }),
	)
}

// printChainVerdict prints the verdict of a chain.
func (a *app) printChainVerdict(w io.Writer, dir string, v chain.Verdict) error {
	if err := reports.ChainText(w, v, textOptions(w, dir)); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return nil
}
