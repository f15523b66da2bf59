package chain

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// SchemaVersion names the form of chain.json.
const SchemaVersion = "skewsim.dev/chain/v2"

// Verdict is the content of chain.json.
type Verdict struct {
	SchemaVersion string   `json:"schemaVersion"`
	Scenario      string   `json:"scenario"`
	About         string   `json:"about"`
	Releases      []string `json:"releases"` // references, oldest first
	// Options are what the servers of each release were started with, where the chain
	// says so itself.
	Options []scenarios.Options `json:"options,omitempty"`
	Forward bool                `json:"forward"` // there is no way back
	Rewrite bool                `json:"rewrite"` // each leg of the way back ends with a storage rewrite
	Seed    int64               `json:"seed"`
	// Whole tells that the chain is the one that the scenario's expectations are
	// for, so that each of them must be met.
	Whole   bool             `json:"whole"`
	Verdict term.VerdictWord `json:"verdict"`
	// Reason says in a sentence why the verdict is what it is.
	Reason string `json:"reason"`
	// Planned is how many legs there are; Legs are those that were played.
	Planned int         `json:"planned"`
	Legs    []LegResult `json:"legs"`
	// Expect are the scenario's expectations, so that a chain can be judged again
	// whatever its legs have left.
	Expect []scenarios.Expectation `json:"expect"`
	// Findings are what only the whole chain shows: of what no leg's own clients
	// wrote, a release serves something else than it did.
	Findings []Finding `json:"findings"`
	// Missing are the expectations that no leg's finding met, where every leg was
	// played and judged: what an unjudged one would have found nobody knows.
	Missing []result.Missing `json:"missing"`
	// Compared is how often an object, or a value, was held against an earlier leg.
	Compared int `json:"compared"`
	// Unseen says of which copies values should have been, and could not.
	Unseen []string `json:"unseen"`
	// Uncaught are the releases that are wrong on purpose, or made in another way,
	// of which no leg that plays them shows anything: what they do otherwise, the
	// scenario does not touch.
	Uncaught []string `json:"uncaught,omitempty"`
}

// LegResult is one leg in short. The leg's own directory has all of it.
type LegResult struct {
	Number    int          `json:"number"`
	Directory string       `json:"directory"` // below legs/
	Rollout   term.Rollout `json:"rollout"`
	Old       string       `json:"old"`
	New       string       `json:"new"`
	// OldTitle and NewTitle are the titles of the releases in the leg's own report: versions,
	// with the options that distinguish them.
	OldTitle string `json:"oldTitle,omitempty"`
	NewTitle string `json:"newTitle,omitempty"`

	Verdict    term.VerdictWord `json:"verdict"`
	Reason     string           `json:"reason"`
	Copies     int              `json:"copies"`
	Adopted    int              `json:"adopted"`  // copies of earlier legs that it took over
	Findings   int              `json:"findings"` // expected ones too
	Unexpected []string         `json:"unexpected,omitempty"`
	Seconds    float64          `json:"seconds"`
}

// Finding is a difference between two legs.
type Finding struct {
	Copy    string `json:"copy"`
	Object  string `json:"object"`
	Path    string `json:"path,omitempty"` // "" when the whole object is meant
	Release int    `json:"release"`        // place in Releases, from 0
	// Served is the leg that first saw the release serve Before, LastSeen the last
	// leg in which any release served it, Leg the one that finds After.
	Served   int    `json:"served"`
	LastSeen int    `json:"lastSeen"`
	Leg      int    `json:"leg"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Message  string `json:"message"`
}

// tellsOfLeg is how many unexpected findings of a leg the chain repeats.
const tellsOfLeg = 5

func resultOf(leg Leg) LegResult {
	p := leg.History.Header.Plan
	r := LegResult{
		Number: leg.Number, Directory: leg.Name(), Rollout: leg.Rollout(), Old: leg.Pair.Old, New: leg.Pair.New,
		Verdict: leg.Result.Verdict, Reason: leg.Result.Reason, Copies: len(p.Copies), Findings: len(leg.Result.Findings), Seconds: leg.Seconds,
	}
	if len(leg.Result.Releases) == 2 {
		r.OldTitle, r.NewTitle = leg.Result.Releases[0], leg.Result.Releases[1]
	}
	for _, c := range p.Copies {
		if c.Leg > 0 {
			r.Adopted++
		}
	}
	for _, f := range leg.Result.Findings {
		if !f.Expected && len(r.Unexpected) < tellsOfLeg {
			r.Unexpected = append(r.Unexpected, f.Message)
		}
	}
	return r
}

// Verdict sums up the legs that came in. A leg that failed, or a difference
// between legs, fails the chain; one that is unknown, or was not played, leaves
// it unknown.
func (c *Chain) Verdict() Verdict {
	v := Verdict{
		SchemaVersion: SchemaVersion, Scenario: c.plan.Scenario, About: c.plan.About, Releases: c.plan.Releases, Options: c.plan.Options, Forward: c.plan.Forward, Rewrite: c.plan.Rewrite,
		Seed: c.plan.Seed, Whole: c.plan.Whole, Planned: len(c.plan.Hops()), Legs: append([]LegResult{}, c.legs...), Findings: append([]Finding{}, c.found...),
		Expect: append([]scenarios.Expectation{}, c.plan.Expect...), Missing: []result.Missing{}, Compared: c.observations.compared, Unseen: append([]string{}, c.unseen...),
	}
	for i, want := range c.plan.Expect {
		if c.plan.Whole && c.met[i] == 0 && c.aside[i] < len(c.legs) && v.judged() {
			v.Missing = append(v.Missing, result.Missing{
				Expectation: want, Place: i + 1,
				Message: fmt.Sprintf("the expectation on line %d matches no finding of any leg", want.Line),
			})
		}
	}
	v.Uncaught = v.uncaught()
	v.Verdict, v.Reason = v.decide()
	return v
}

// uncaught returns the mutants and variants that no leg, and no difference between legs, shows,
// if every leg was judged.
func (v Verdict) uncaught() []string {
	if !v.judged() || len(v.Findings) > 0 {
		return nil
	}
	var all []string
	for _, release := range v.Releases {
		shows := slices.ContainsFunc(v.Legs, func(l LegResult) bool { return l.Verdict != term.Pass && (l.Old == release || l.New == release) })
		if scenarios.IsMutant(release) && !shows {
			all = append(all, release)
		}
	}
	return all
}

// judged reports whether every leg was played and its outcome is known.
func (v Verdict) judged() bool {
	return len(v.Legs) == v.Planned && !slices.ContainsFunc(v.Legs, func(l LegResult) bool { return l.Verdict == term.Unknown })
}

// Contradiction returns an error where the verdict does not follow from the legs, and from
// what was found between them; nil: it does.
func (v Verdict) Contradiction() error {
	for _, leg := range v.Legs {
		if !term.Verdicts().Has(leg.Verdict) {
			return fmt.Errorf("legs: %s has the verdict %q, which is not one", leg.Directory, leg.Verdict)
		}
	}
	if word, why := v.decide(); word != v.Verdict {
		return fmt.Errorf("verdict: is %s, and the rest says %s: %s", v.Verdict, word, why)
	}
	return nil
}

func (v Verdict) decide() (term.VerdictWord, string) {
	for _, leg := range v.Legs {
		if leg.Verdict == term.Fail {
			return term.Fail, fmt.Sprintf("leg %s: %s", leg.Directory, leg.Reason)
		}
	}
	if len(v.Findings) > 0 {
		return term.Fail, fmt.Sprintf("%s between legs: %s", term.Numbered(len(v.Findings), "difference"), v.Findings[0].Message)
	}
	if len(v.Missing) > 0 {
		return term.Fail, v.Missing[0].Message
	}
	for _, leg := range v.Legs {
		if leg.Verdict == term.Unknown {
			return term.Unknown, fmt.Sprintf("leg %s: %s", leg.Directory, leg.Reason)
		}
	}
	switch {
	case len(v.Legs) < v.Planned:
		return term.Unknown, fmt.Sprintf("%d of %d legs were played", len(v.Legs), v.Planned)
	case len(v.Unseen) > 0:
		return term.Unknown, v.Unseen[0]
	case v.Compared == 0 && v.Planned > 1:
		return term.Unknown, "no leg took anything over from another: there is nothing that the chain could tell"
	}
	for _, leg := range v.Legs {
		if leg.Verdict == term.Impacts {
			return term.Impacts, fmt.Sprintf("leg %s: %s", leg.Directory, leg.Reason)
		}
	}
	return term.Pass, fmt.Sprintf("every leg finds only what the scenario expects, and %s no difference", term.Counted(v.Compared, "comparison between legs shows", "comparisons between legs show"))
}

// parsed reads a path that comes from a result; nil for none.
func parsed(name string) fieldpath.Path {
	p, err := path.Parse(name)
	if err != nil {
		return nil
	}
	return p
}
