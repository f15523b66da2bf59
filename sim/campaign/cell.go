package campaign

import (
	"errors"
	"path"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
)

// Cell is one run of a campaign.
type Cell struct {
	Run engine.Run
	// Named is the scenario as the user names it. Label distinguishes the cell from others
	// of the same scenario; it is "" for an only cell.
	Named, Label string
	// Pair is the pair that a matrix runs the scenario with; it is zero outside a matrix.
	Pair pairing.Pair
	// Journey numbers the shared run that the cell is part of, and Shard the part of the
	// matrix that has the cell; both count from 1.
	Journey, Shard int
	// Cost is how many seconds the cell is expected to take.
	Cost float64

	tried []matrix.Attempt // attempts before this runner executes the cell, with those of an earlier matrix
}

// Name returns the cell's name, which no other cell of the campaign has.
func (c *Cell) Name() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Scenario()
}

// Scenario returns the name of the cell's scenario, with its mutant.
func (c *Cell) Scenario() string { return c.Run.Scenario.FullName() }

// Dir returns the run directory relative to that of a matrix, with slashes.
func (c *Cell) Dir() string { return path.Join(c.Pair.Dir(), c.Scenario()) }

// Ended is how a cell ended.
type Ended struct {
	Cell *Cell
	// Outcome is the outcome of the last attempt, which counts.
	engine.Outcome
	// Begun is false if the queue ended before the cell's turn.
	Begun bool
	// Again reports that the cell is executed once more, alone, and that the later run
	// counts.
	Again bool
	// InShared is the outcome of the shared run, if the cell was executed again alone; else
	// "".
	InShared matrix.Outcome
	// Attempts are the cell's attempts in this campaign, with the last one; empty if the
	// cell was not executed.
	Attempts []engine.Outcome
}

// Word returns the cell's outcome in a word.
func (e Ended) Word() matrix.Outcome {
	if !e.Begun || e.Fault().Kind == fault.Unavailable {
		return matrix.NotPlayed
	}
	return WordOf(e.Outcome)
}

// WordOf returns the outcome of an executed run in a word.
func WordOf(o engine.Outcome) matrix.Outcome {
	switch o.Fault().Kind {
	case fault.Verdict:
		return matrix.OutcomeOf(o.Verdict)
	case fault.User:
		return matrix.Refused
	}
	if o.Err == nil && o.Verdict == term.Pass {
		return matrix.Passed
	}
	return matrix.Unjudged
}

// Worst returns the combined outcome of several runs: unexpected findings come first, then
// runs that could not be judged, then refusals, then impacts alone.
func Worst(all []Ended) engine.Outcome {
	has := map[matrix.Outcome]bool{}
	for _, e := range all {
		has[WordOf(e.Outcome)] = true
	}
	switch {
	case has[matrix.Failed]:
		return engine.Outcome{Verdict: term.Fail}
	case has[matrix.Unjudged]:
		return engine.Outcome{Verdict: term.Unknown}
	case has[matrix.Refused]:
		return engine.Outcome{Err: fault.ByUser(errors.New(""))} // the lines are already printed
	case has[matrix.FoundImpacts]:
		return engine.Outcome{Verdict: term.Impacts}
	}
	return engine.Outcome{Verdict: term.Pass}
}
