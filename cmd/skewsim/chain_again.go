package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
)

// judgeChain judges every leg of a chain again, and what they come to together.
func (a *app) judgeChain(dir string) error {
	v, err := readChain(dir)
	if err != nil {
		return err
	}
	if v, _, err = a.rejudge(dir, v, judgements()); err != nil {
		return err
	}
	return errors.Join(a.writeChain(dir, v), a.tellChain(dir, v, nil))
}

// reportChain writes the reports of a chain, and of every leg, again. A leg that
// left nothing to judge has none, which is an error, as it is of a run.
func (a *app) reportChain(dir string) error {
	v, err := readChain(dir)
	if err != nil {
		return err
	}
	v, unread, err := a.rejudge(dir, v, judgements(), drawings())
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

func readChain(dir string) (v chain.Verdict, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, chainFile))
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(raw, &v); err != nil || v.SchemaVersion != chain.SchemaVersion {
		return v, fmt.Errorf("%s: %s is none that this skewsim reads: %w", dir, chainFile, cmp.Or(err, errors.New(v.SchemaVersion)))
	}
	if len(v.Releases) < 2 {
		return v, fmt.Errorf("%s: %s: releases: %d of them, and a chain has two at least: play it again, with --through", dir, chainFile, len(v.Releases))
	}
	return v, nil
}

// rejudge judges a chain's legs again, and writes those sets of their files. It
// names the legs that left nothing to judge.
func (a *app) rejudge(dir string, before chain.Verdict, sets ...map[string]writer) (_ chain.Verdict, unread map[string]bool, _ error) {
	p := planOf(before)
	hops := p.Hops()
	hops = hops[:min(max(len(before.Legs), begun(dir, hops)), len(hops))]
	if len(hops) == 0 {
		return before, nil, fmt.Errorf("%s: no leg was played: there is nothing to judge", dir)
	}
	header := firstHeader(dir, hops)
	p.Salt = header.Salt
	if p.Expect == nil { // as chains that were played before it was kept
		p.Expect = header.Plan.Expect
	}
	c := chain.New(p)
	unread = map[string]bool{}
	for i, hop := range hops {
		at := legDir(dir, hop)
		j, err := judgeRun(at, "")
		if err != nil {
			unread[hop.Name()] = true
			c.Unjudged(hop, 0, err)
			continue
		}
		took := time.Duration(0) // of one that was killed nobody knows
		if i < len(before.Legs) {
			took = time.Duration(before.Legs[i].Seconds * float64(time.Second))
		}
		r := reports.New(j.history, j.result, j.ledger)
		r.AllowImpacts = a.allowsImpacts()
		c.Add(legOf(hop, j, r, took))
		if err := errors.Join(writeAll(at, r, sets...), j.history.Err()); err != nil {
			return before, nil, err
		}
	}
	return c.Verdict(), unread, nil
}

// begun is how many legs have left a directory: of a chain that was killed it is one
// more than chain.json tells of.
func begun(dir string, hops []chain.Hop) int {
	for n := len(hops); n > 0; n-- {
		if _, err := os.Stat(legDir(dir, hops[n-1])); err == nil {
			return n
		}
	}
	return 0
}

// planOf is the plan of a chain that was played, but for its salt.
func planOf(v chain.Verdict) chain.Plan {
	return chain.Plan{
		Scenario: v.Scenario, About: v.About, Releases: v.Releases, Options: v.Options, Forward: v.Forward, Rewrite: v.Rewrite, Seed: v.Seed, Whole: v.Whole, Expect: v.Expect,
	}
}

// firstHeader is of the first leg that has a history. All legs share the chain's
// salt, which lies nowhere else: chain.json is to be shown around.
func firstHeader(dir string, hops []chain.Hop) history.Header {
	for _, hop := range hops {
		if h, err := history.Load(legDir(dir, hop)); err == nil {
			return h.Header
		}
	}
	return history.Header{}
}
