package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// MergedVersion names the form of merged.json.
const MergedVersion = "skewsim.dev/merged/v1"

// Merged is the content of merged.json: what several runs came to, each with the
// way to it. It has no times, so that equal runs, wherever they were played, differ
// in their paths alone.
type Merged struct {
	SchemaVersion string `json:"schemaVersion"`
	// Verdict is fail where a run failed, else unknown where one is unknown or could
	// not be read, or there is none, else impacts where one ends in it, else pass.
	Verdict term.VerdictWord `json:"verdict"`
	Reason  string           `json:"reason"` // the verdict in a sentence
	Totals  Totals           `json:"totals"`
	// Runs are in the order of components, pairs (by version), scenarios, seeds, paths.
	Runs []MergedRun `json:"runs"`
	// Notes tell what was given twice, and which version was played with several builds.
	Notes []string `json:"notes"`
}

// Totals counts merged runs. Unknown has those too that were not played, or could not be
// read.
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

// MergedRun is one run in short.
type MergedRun struct {
	// Name tells the run from every other of its pair: the scenario with its twin,
	// and where that is not enough its seed, or its path.
	Name   string `json:"name"`
	Path   string `json:"path"`             // of the run directory, from that of merged.json; with slashes
	Report string `json:"report,omitempty"` // of its report.html, likewise; absent where there is none
	// Unreadable says what is wrong with the run's result.json; absent where it could
	// be read. Unplayed says why a matrix has not played the run; absent where it has. The
	// run is unknown then, and has nothing more but its place, as far as a matrix tells:
	// component, scenario (with its twin), pair, seed.
	Unreadable string `json:"unreadable,omitempty"`
	Unplayed   string `json:"unplayed,omitempty"`
	// Tried tells what of the machine has ended the run, each time, and what it came to
	// at last; "": nothing has. It differs from one playing to the next, so that
	// merged.json is without it.
	Tried string `json:"-"`

	Component string           `json:"component"` // what was played: frobber, kube-apiserver; "" where nothing says
	Scenario  string           `json:"scenario"`
	Twin      *MergedTwin      `json:"twin,omitempty"`
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

// MergedTwin is the mistake that a run's new release was made with on purpose.
type MergedTwin struct {
	Name   string `json:"name"`
	Caught bool   `json:"caught"`
}

// MergedFindings counts a run's findings.
type MergedFindings struct {
	Unexpected int `json:"unexpected"`
	Expected   int `json:"expected"`
	Violations int `json:"violations"` // of both, those that break a rule
}

// MergedChecks counts what a run's checks came to.
type MergedChecks struct {
	Pass    int `json:"pass"`
	Fail    int `json:"fail"`
	Impacts int `json:"impacts,omitempty"`
	Unknown int `json:"unknown"`
	// NotApplicable are those that the run has no subject for; absent where there is none.
	NotApplicable int `json:"notApplicable,omitempty"`
}

// Source is a run that is to be merged: its result, or what is wrong with it.
type Source struct {
	Path, Report string // as MergedRun has them
	// Name is what a run is called of which nothing more is known; "": as its path.
	Name string
	// Problem is why there is no result; "": there is. Of Result then only the place
	// counts: what tells scenario, releases, component and seed, as far as it is known.
	Problem string
	// Unplayed tells that there is none since the run was not played; false: its
	// result cannot be read.
	Unplayed bool
	Tried    string // as MergedRun has it
	// Component is what a matrix, or a chain, says that it is of, where its builds do not.
	Component string
	Result    Result
}

// component is what was played, or was to be.
func (s Source) component() string { return cmp.Or(s.Result.Component(), s.Component) }

// placed tells whether it is known which run it is.
func (s Source) placed() bool { return s.Problem == "" || s.Result.Scenario != "" }

// Merge sums up runs, whatever their order. Notes are taken over as they are; a
// version that was played with builds of several digests adds one.
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
	if t := res.Twin; t != nil {
		run.Twin = &MergedTwin{t.Name, t.Caught}
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

// tellApart adds to the names of runs that would have the same one beside each other
// what differs between them.
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

// key is where a run stands in a grid, and what it is called there.
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

// verdict is the worst of the runs', and says how many came to what.
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
	reason := fmt.Sprintf("of %d runs %s", n.Runs, strings.Join(parts, ", "))
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

// severalBuilds tells of versions that were not the same build in all runs, as those
// of other machines may be: their results do not add up to one.
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
