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
	// Named is the scenario as the user names it, and Label tells the cell from others of
	// the same scenario; "": it is the only one.
	Named, Label string
	// Pair is what a matrix runs the scenario with; zero: the campaign is no matrix.
	Pair pairing.Pair
	// Journey numbers the shared run that the cell is part of, and Shard the part of the
	// matrix that has the cell; from 1.
	Journey, Shard int
	// Cost is how many seconds the cell is thought to take.
	Cost float64

	tried []matrix.Attempt // before this runner executes it, also those of an earlier matrix
}

// Name returns what a cell is called among others.
func (c *Cell) Name() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Scenario()
}

// Scenario returns the name of the cell's scenario, with its mutant.
func (c *Cell) Scenario() string { return c.Run.Scenario.FullName() }

// Dir returns the run directory below that of a matrix, with slashes.
func (c *Cell) Dir() string { return path.Join(c.Pair.Dir(), c.Scenario()) }

// Ended is how a cell ended.
type Ended struct {
	Cell *Cell
	// Outcome is that of the last attempt, which counts.
	engine.Outcome
	// Begun is false where the queue was ended before the cell's turn.
	Begun bool
	// Again: the cell is executed once more, alone, and that counts.
	Again bool
	// InShared is how the cell ended in a shared run, where that does not count; "": it does.
	InShared matrix.Outcome
	// Attempts are all in this campaign, the last one included; none: the cell was not
	// executed.
	Attempts []engine.Outcome
}

// Word returns in a word how the cell ended.
func (e Ended) Word() matrix.Outcome {
	if !e.Begun || e.Fault().Kind == fault.Unavailable {
		return matrix.NotPlayed
	}
	return WordOf(e.Outcome)
}

// WordOf returns in a word how a run ended that was executed.
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

// Worst returns what several runs result in: a finding that nobody expected, else what could
// not be judged, else what was refused, else impacts alone.
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
		return engine.Outcome{Err: fault.Wrap(fault.User, errors.New(""))} // the lines have said it
	case has[matrix.FoundImpacts]:
		return engine.Outcome{Verdict: term.Impacts}
	}
	return engine.Outcome{Verdict: term.Pass}
}
