package gather

import (
	"errors"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Chain returns a chain as a run among others: with the findings that only the whole chain
// shows. Its legs are runs of their own.
func Chain(dir string) result.Source {
	v, err := rundir.ReadChain(dir)
	if err == nil && !term.Verdicts().Has(v.Verdict) {
		err = fmt.Errorf("%s: has the unknown verdict %q", rundir.ChainFile, v.Verdict)
	}
	if err == nil {
		if problem := v.Contradiction(); problem != nil {
			err = fmt.Errorf("%s: contradicts itself: %w: skewsim judge makes it anew of the legs", rundir.ChainFile, problem)
		}
	}
	if err != nil {
		return result.Source{Path: dir, Problem: err.Error()}
	}
	s := result.Source{Path: dir, Result: chainResult(v)}
	for _, leg := range v.Legs { // the legs say which releases the chain names
		if s.Component == "" {
			of, _ := Run(rundir.RecordedLegDir(dir, leg))
			s.Component = of.Result.Component()
		}
	}
	return s
}

// chainResult returns the chain's verdict, with the differences between its legs as
// findings. The releases are the first and the last of the chain.
func chainResult(v chain.Verdict) result.Result {
	res := result.Result{
		SchemaVersion: result.SchemaVersion, Scenario: v.Scenario, About: v.About, Seed: v.Seed,
		Verdict: v.Verdict, Reason: v.Reason, Missing: v.Missing,
	}
	if n := len(v.Releases); n > 0 {
		first, last := v.Releases[0], v.Releases[n-1]
		res.Builds = []result.Build{{Role: term.Old, Reference: first}}
		res.Releases = []string{versionOf(first), fmt.Sprintf("%s over %d legs", versionOf(last), v.Planned)}
	}
	for _, f := range v.Findings {
		res.Findings = append(res.Findings, result.Finding{
			Check: term.CheckNothingLost, Object: f.Object, Copy: f.Copy, Path: f.Path, Message: f.Message,
		})
	}
	for _, leg := range v.Legs {
		if len(res.Journey) == 0 || res.Journey[len(res.Journey)-1] != leg.Rollout {
			res.Journey = append(res.Journey, leg.Rollout)
		}
	}
	return res
}

// versionOf returns a reference without its component.
func versionOf(reference string) string {
	if _, version, named := strings.Cut(reference, "@"); named {
		return version
	}
	return reference
}

// Legs replaces a chain by its legs.
func Legs(dirs []string) (all []string, err error) {
	for _, dir := range dirs {
		if !rundir.IsChain(dir) {
			all = append(all, dir)
			continue
		}
		v, problem := rundir.ReadChain(dir)
		if problem == nil && len(v.Legs) == 0 {
			problem = fmt.Errorf("%s: no leg was executed: there is nothing to report", dir)
		}
		for _, leg := range v.Legs {
			all = append(all, rundir.RecordedLegDir(dir, leg))
		}
		err = errors.Join(err, problem)
	}
	return all, err
}
