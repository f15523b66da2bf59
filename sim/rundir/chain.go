package rundir

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// ChainFile marks the directory of a chain, and holds its verdict.
const ChainFile = "chain.json"

// IsChain reports whether a directory is that of a chain.
func IsChain(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ChainFile))
	return err == nil
}

// LegDir returns the directory of a leg below that of its chain.
func LegDir(dir string, hop chain.Hop) string { return filepath.Join(dir, legs, hop.Name()) }

// RecordedLegDir returns the directory of a leg of a chain's verdict. It is always below that
// of the chain, whatever the verdict's file says.
func RecordedLegDir(dir string, leg chain.LegResult) string {
	return filepath.Join(dir, legs, filepath.Join("/", leg.Directory))
}

// legs is the directory of a chain that has those of its legs.
const legs = "legs"

// ReadChain reads the verdict of a chain from its directory. It returns an error if there
// is no verdict, or this skewsim cannot read it.
func ReadChain(dir string) (v chain.Verdict, err error) {
	raw, err := ReadRegular(filepath.Join(dir, ChainFile))
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(raw, &v); err != nil || v.SchemaVersion != chain.SchemaVersion {
		return v, fmt.Errorf("%s: %s is not one that this skewsim reads: %w", dir, ChainFile, cmp.Or(err, errors.New(v.SchemaVersion)))
	}
	if len(v.Releases) < 2 {
		return v, fault.Optionf("%s: %s: it has %d releases, and a chain has at least two: run it again, with {through}", dir, ChainFile, len(v.Releases))
	}
	return v, nil
}

// Rejudge judges a chain's legs again, and has the reports of each written. It names the
// legs without anything to judge.
func Rejudge(dir string, before chain.Verdict, report func(Judged) (result.Result, error)) (_ chain.Verdict, unread map[string]bool, _ error) {
	p := planOf(before)
	hops := p.Hops()
	hops = hops[:min(max(len(before.Legs), begun(dir, hops)), len(hops))]
	if len(hops) == 0 {
		return before, nil, fmt.Errorf("%s: no leg was executed: there is nothing to judge", dir)
	}
	header := firstHeader(dir, hops)
	p.Salt = header.Salt
	if p.Expect == nil { // as in chains of older versions, which did not keep it
		p.Expect = header.Plan.Expect
	}
	c := chain.New(p)
	unread = map[string]bool{}
	for i, hop := range hops {
		at, start := LegDir(dir, hop), time.Now()
		j, err := Judge(at, "")
		if err != nil {
			unread[hop.Name()] = true
			c.Unjudged(hop, 0, err)
			continue
		}
		took := time.Duration(0) // unknown for a leg that was killed
		if i < len(before.Legs) {
			took = time.Duration(before.Legs[i].Seconds * float64(time.Second))
		}
		res, err := report(Judged{Dir: at, Judgement: j, Began: start, IsLeg: true})
		if err = errors.Join(err, j.History.Err()); err != nil {
			return before, nil, err
		}
		c.Add(LegOf(hop, j, res, took))
	}
	return c.Verdict(), unread, nil
}

// begun returns how many legs have a directory: for a chain that was killed, one more than
// chain.json lists.
func begun(dir string, hops []chain.Hop) int {
	for n := len(hops); n > 0; n-- {
		if _, err := os.Stat(LegDir(dir, hops[n-1])); err == nil {
			return n
		}
	}
	return 0
}

// planOf returns the plan of a recorded chain, without its salt.
func planOf(v chain.Verdict) chain.Plan {
	return chain.Plan{
		Scenario: v.Scenario, About: v.About, Releases: v.Releases, Options: v.Options, Forward: v.Forward, Rewrite: v.Rewrite, Seed: v.Seed, Whole: v.Whole, Expect: v.Expect,
	}
}

// firstHeader returns the header of the first leg whose history has one. All legs share the
// chain's salt, which only histories hold, because chain.json may be published.
func firstHeader(dir string, hops []chain.Hop) history.Header {
	for _, hop := range hops {
		if header, err := history.ReadHeader(LegDir(dir, hop)); err == nil {
			return header
		}
	}
	return history.Header{}
}

// LegOf returns what the chain records about a leg. It repeats sentences of the leg's
// findings, and people publish it as they publish reports, so it takes the result that
// reports show.
func LegOf(hop chain.Hop, j Judgement, shown result.Result, took time.Duration) chain.Leg {
	return chain.Leg{Hop: hop, History: j.History, Schemas: j.Schemas, Result: shown, Ledger: j.Ledger, Seconds: took.Seconds()}
}
