package matrix

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
)

// stepSeconds is what a step adds to a journey: the slope of a line through ten scenarios,
// played alone, of 194 to 1195 steps, which took 5.7 to 22 s (two busy cores). Only the
// relation between cells matters, not the speed of the machine.
const stepSeconds = 0.016

// Costs are the costs of cells in an earlier matrix.
type Costs struct {
	cells     map[string]float64 // seconds, by cell
	scenarios map[string]float64 // seconds, the mean over pairs
	steps     map[string]int     // steps, by cell without known times
}

// ReadCosts reads a matrix.json or a merged.json, which has the number of steps instead of
// times. It returns an error if the file is neither, is truncated, or has no cell.
//
// A merged.json of the version before has the same times.
func ReadCosts(raw []byte) (Costs, error) {
	var form struct {
		SchemaVersion string `json:"schemaVersion"`
	}
	if err := json.Unmarshal(raw, &form); err != nil {
		return Costs{}, fmt.Errorf("is no JSON: %w", err)
	}
	c := Costs{cells: map[string]float64{}, scenarios: map[string]float64{}, steps: map[string]int{}}
	var err error
	switch form.SchemaVersion {
	case Version:
		err = c.readState(raw)
	case result.MergedVersion, olderMerged:
		err = c.readMerged(raw)
	default:
		err = fmt.Errorf("is of the form %q, and neither %s nor %s: give a matrix.json or a merged.json", form.SchemaVersion, Version, result.MergedVersion)
	}
	if err == nil && len(c.cells)+len(c.steps) == 0 {
		err = fmt.Errorf("contains no cell that was played")
	}
	return c, err
}

func (c Costs) readState(raw []byte) error {
	s, err := Read(raw)
	if err != nil {
		return err
	}
	times := map[string][]float64{}
	for _, cell := range s.Cells {
		// The time until an infrastructure failure says nothing about a cell's cost.
		judged := cell.Verdict == term.Pass || cell.Verdict == term.Fail || cell.Verdict == term.Impacts
		if cell.Phase != Done || cell.Infrastructure || !judged || cell.Seconds <= 0 {
			continue
		}
		if math.IsInf(cell.Seconds, 0) || cell.Seconds > 1e6 {
			return fmt.Errorf("%s of %s took %g s, which is impossible", cell.Scenario, cell.Pair, cell.Seconds)
		}
		component, old, new := ends(cell.Pair)
		c.cells[key(cell.Scenario, component, old, new)] = cell.Seconds
		times[cell.Scenario] = append(times[cell.Scenario], cell.Seconds)
	}
	for name, all := range times {
		slices.Sort(all) // sums of floats depend on their order
		total := 0.0
		for _, seconds := range all {
			total += seconds
		}
		c.scenarios[name] = total / float64(len(all))
	}
	return nil
}

func (c Costs) readMerged(raw []byte) error {
	var m result.Merged
	if err := json.Unmarshal(raw, &m); err != nil {
		return fmt.Errorf("is no merged.json: %w", err)
	}
	for _, run := range m.Runs {
		if run.Unreadable != "" || len(run.Releases) < 2 || run.Counts.Steps == 0 {
			continue
		}
		name := run.Scenario
		if run.Mutant != nil {
			name += "+" + run.Mutant.Name
		}
		c.steps[key(name, run.Component, run.Releases[0], run.Releases[1])] = run.Counts.Steps
		c.steps[name] = max(c.steps[name], run.Counts.Steps)
	}
	return nil
}

// Of returns the cost of a cell, in seconds: as measured with this pair, or else with others;
// else estimated from its steps and its share of the time that its journey's servers take to
// start and stop.
func (c Costs) Of(scenario string, p pairing.Pair, steps int, part float64) float64 {
	at := key(scenario, p.Old.Component, p.Old.Version, p.New.Version)
	if seconds, ok := c.cells[at]; ok {
		return seconds
	}
	if seconds, ok := c.scenarios[scenario]; ok {
		return seconds
	}
	if n, ok := c.steps[at]; ok {
		steps = n
	} else if n, ok := c.steps[scenario]; ok {
		steps = n
	}
	return part + float64(steps)*stepSeconds
}

// key identifies a cell, with its versions in one spelling.
func key(scenario, component, old, new string) string {
	return strings.Join([]string{scenario, component, core(old), core(new)}, "\x00")
}

// core returns a version in one spelling, or the text unchanged if it is not a version.
func core(text string) string {
	word, _, _ := strings.Cut(text, " ")
	v, err := version.NewVersion(word)
	if err != nil {
		return text
	}
	return v.Core().String()
}

// ends splits a pair into the releases of State.
func ends(pair string) (component, old, new string) {
	old, new, _ = strings.Cut(pair, "..")
	component, old, _ = strings.Cut(old, "@")
	_, version, named := strings.Cut(new, "@")
	if named {
		new = version
	}
	return component, old, new
}

// olderMerged is the form of merged.json whose findings have other words.
const olderMerged = "skewsim.dev/merged/v1"
