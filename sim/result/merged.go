package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// MergedVersion is the version of merged.json's format.
const MergedVersion = "skewsim.dev/merged/v2"

// Merged is the content of merged.json: the results of several runs, each with the path to it.
// It contains no times, so equal runs on different machines differ only in their paths.
type Merged struct {
	SchemaVersion string `json:"schemaVersion"`
	// Verdict is fail if a run failed; else unknown if a run is unknown or could not be read,
	// or if there are no runs; else impacts if a run has that verdict; else pass.
	Verdict term.VerdictWord `json:"verdict"`
	Reason  string           `json:"reason"` // the verdict in a sentence
	Totals  Totals           `json:"totals"`
	// Runs are in the order of components, pairs (by version), scenarios, seeds, paths.
	Runs []MergedRun `json:"runs"`
	// Notes list runs that were given twice, and versions that were played with several builds.
	Notes []string `json:"notes"`
}

// Totals counts merged runs. Unknown includes runs that were not played or could not be read.
type Totals struct {
	Runs       int `json:"runs"`
	Pass       int `json:"pass"`
	Fail       int `json:"fail"`
	Impacts    int `json:"impacts,omitempty"`
	Unknown    int `json:"unknown"`
	Unreadable int `json:"unreadable"`
	Unplayed   int `json:"unplayed"`
	Skipped    int `json:"skipped"` // what was not played, in all runs
}

// MergedRun is a summary of one run.
type MergedRun struct {
	// Name identifies the run among those of its pair: the scenario with its mutant and, if
	// that is not unique, its seed or its path.
	Name   string `json:"name"`
	Path   string `json:"path"`             // of the run directory, relative to that of merged.json; with slashes
	Report string `json:"report,omitempty"` // of its report.html, relative to merged.json too; absent without one
	// Unreadable says what is wrong with the run's result.json; absent if it could be read.
	// Unplayed says why a matrix has not played the run; absent if it has. The run is unknown
	// then, and has only what a matrix knows: component, scenario (with its mutant), pair,
	// seed.
	Unreadable string `json:"unreadable,omitempty"`
	Unplayed   string `json:"unplayed,omitempty"`
	// Tried lists the infrastructure failures that ended the run, and its final outcome; "":
	// there were no failures. It differs between repetitions, so merged.json does not contain
	// it.
	Tried string `json:"-"`

	Component string           `json:"component"` // what was played: frobber, kube-apiserver; "" if unknown
	Scenario  string           `json:"scenario"`
	Mutant    *MergedMutant    `json:"twin,omitempty"`
	Pair      string           `json:"pair"`
	Releases  []string         `json:"releases"`
	Journey   []term.Rollout   `json:"journey"`
	Seed      int64            `json:"seed"`
	Verdict   term.VerdictWord `json:"verdict"`
	Reason    string           `json:"reason"`
	Findings  MergedFindings   `json:"findings"`
	Missing   int              `json:"missing"` // expectations that were not met
	Checks    MergedChecks     `json:"checks"`
	Skipped   int              `json:"skipped"` // what was not played
	Counts    Counts           `json:"counts"`
}

// MergedMutant is the mutant of a run: the mistake that its new release was given on purpose.
type MergedMutant struct {
	Name   string `json:"name"`
	Caught bool   `json:"caught"`
}

// MergedFindings counts a run's findings.
type MergedFindings struct {
	Unexpected int `json:"unexpected"`
	Expected   int `json:"expected"`
	Violations int `json:"violations"` // of both, those that break a rule
}

// MergedChecks counts the verdicts of a run's checks.
type MergedChecks struct {
	Pass    int `json:"pass"`
	Fail    int `json:"fail"`
	Impacts int `json:"impacts,omitempty"`
	Unknown int `json:"unknown"`
	// NotApplicable are the checks without a subject in the run; absent if there are no such
	// checks.
	NotApplicable int `json:"notApplicable,omitempty"`
}

// Source is a run to merge: its result, or what is wrong with it.
type Source struct {
	Path, Report string // as in MergedRun
	// Name is the name of a run about which nothing else is known; "": its path.
	Name string
	// Problem is why there is no result; "": there is one. With a problem only the identity in
	// Result counts: scenario, releases, component and seed, as far as they are known.
	Problem string
	// Unplayed says that there is no result because the run was not played; false: its result
	// cannot be read.
	Unplayed bool
	Tried    string // as in MergedRun
	// Component is the component according to the matrix or chain, for a run whose builds do
	// not name it.
	Component string
	Result    Result
}

// component returns the component that was played, or that was planned.
func (s Source) component() string { return cmp.Or(s.Result.Component(), s.Component) }

// placed reports whether the identity of the run is known.
func (s Source) placed() bool { return s.Problem == "" || s.Result.Scenario != "" }

// Merge summarizes runs in any order. It keeps the notes, and adds one for each version that
// was played with builds of several digests.
func Merge(sources []Source, notes ...string) Merged {
	m := Merged{SchemaVersion: MergedVersion, Runs: []MergedRun{}, Notes: slices.Clone(notes)}
	for _, s := range Ordered(sources) {
		m.Runs = append(m.Runs, mergedRun(s))
	}
	tellApart(m.Runs)
	m.Totals = totals(m.Runs)
	m.Verdict, m.Reason = m.Totals.verdict()
	m.Notes = append(m.Notes, severalBuilds(sources)...)
	return m
}

func mergedRun(s Source) MergedRun {
	res := s.Result
	run := MergedRun{
		Path: s.Path, Report: s.Report, Tried: s.Tried, Component: s.component(),
		Scenario: res.Scenario, Name: res.FullName(), Pair: res.Pair(), Releases: append([]string{}, res.Releases...),
		Journey: append([]term.Rollout{}, res.Journey...), Seed: res.Seed, Verdict: res.Verdict, Reason: res.Reason,
		Missing: len(res.Missing), Skipped: len(res.Skipped), Counts: res.Counts,
	}
	if !s.placed() {
		run.Name, run.Pair = cmp.Or(s.Name, s.Path), ""
	}
	switch {
	case s.Problem != "" && s.Unplayed:
		run.Verdict, run.Reason, run.Unplayed = term.Unknown, "was not played: "+s.Problem, s.Problem
		return run
	case s.Problem != "":
		run.Verdict, run.Reason, run.Unreadable = term.Unknown, s.Problem, s.Problem
		return run
	}
	if t := res.Mutant; t != nil {
		run.Mutant = &MergedMutant{t.Name, t.Caught}
	}
	for _, f := range res.Findings {
		run.Findings.add(f)
	}
	for _, c := range res.Checks {
		run.Checks.add(c.Verdict)
	}
	return run
}

func (n *MergedFindings) add(f Finding) {
	if f.Expected {
		n.Expected++
	} else {
		n.Unexpected++
	}
	if f.Class == term.Violation {
		n.Violations++
	}
}

func (n *MergedChecks) add(v term.VerdictWord) {
	switch v {
	case term.Pass:
		n.Pass++
	case term.Fail:
		n.Fail++
	case term.Impacts:
		n.Impacts++
	case term.NotApplicable:
		n.NotApplicable++
	default:
		n.Unknown++
	}
}

// tellApart adds differences to the names of runs that would otherwise have the same name in
// one place.
func tellApart(runs []MergedRun) {
	for _, tell := range []func(MergedRun) string{
		func(r MergedRun) string { return fmt.Sprintf("seed %d", r.Seed) },
		func(r MergedRun) string { return r.Path },
	} {
		told := map[[3]string]map[string]bool{}
		for _, r := range runs {
			key := r.key()
			if told[key] == nil {
				told[key] = map[string]bool{}
			}
			told[key][tell(r)] = true
		}
		for i, r := range runs {
			if len(told[r.key()]) > 1 {
				runs[i].Name += ", " + tell(r)
			}
		}
	}
}

// key is a run's place in a grid, and its name there.
func (r MergedRun) key() [3]string { return [3]string{r.Component, r.Pair, r.Name} }

func totals(runs []MergedRun) (n Totals) {
	n.Runs = len(runs)
	for _, r := range runs {
		n.Skipped += r.Skipped
		switch {
		case r.Unreadable != "":
			n.Unreadable++
			n.Unknown++
		case r.Unplayed != "":
			n.Unplayed++
			n.Unknown++
		case r.Verdict == term.Pass:
			n.Pass++
		case r.Verdict == term.Fail:
			n.Fail++
		case r.Verdict == term.Impacts:
			n.Impacts++
		default:
			n.Unknown++
		}
	}
	return n
}

// verdict returns the worst verdict of the runs, and a sentence that counts the runs with each
// verdict.
func (n Totals) verdict() (term.VerdictWord, string) {
	var parts []string
	tell := func(count int, what string) {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, what))
		}
	}
	tell(n.Fail, "failed")
	tell(n.Impacts, "found impacts only")
	tell(n.Unknown-n.Unreadable-n.Unplayed, "could not be judged")
	tell(n.Unreadable, "could not be read")
	if n.Unplayed == 1 {
		tell(1, "was not played")
	} else {
		tell(n.Unplayed, "were not played")
	}
	tell(n.Pass, "passed")
	reason := fmt.Sprintf("of %s %s", term.Numbered(n.Runs, "run"), strings.Join(parts, ", "))
	switch {
	case n.Runs == 0:
		return term.Unknown, "there is no run"
	case n.Fail > 0:
		return term.Fail, reason
	case n.Unknown > 0:
		return term.Unknown, reason
	case n.Impacts > 0:
		return term.Impacts, reason
	case n.Runs == 1:
		return term.Pass, "the one run passed"
	}
	return term.Pass, fmt.Sprintf("all %d runs passed", n.Runs)
}

// severalBuilds reports versions that have different builds in different runs, for example on
// other machines: the results of such runs cannot be combined.
func severalBuilds(sources []Source) (notes []string) {
	digests := map[string][]string{}
	for _, s := range sources {
		for _, b := range s.Result.Builds {
			if key := b.Reference + " (" + b.Version + ")"; b.Digest != "" {
				digests[key] = append(digests[key], b.Digest)
			}
		}
	}
	for key, all := range digests {
		slices.Sort(all)
		if all = slices.Compact(all); len(all) > 1 {
			notes = append(notes, fmt.Sprintf("%s was played with %d builds: %s", key, len(all), strings.Join(all, ", ")))
		}
	}
	slices.Sort(notes)
	return notes
}
