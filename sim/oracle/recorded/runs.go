package recorded

import (
	_ "embed"
	"fmt"
	"path"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios/load"
)

//go:embed runs.yaml
var listed []byte

// Run is a run of skewsim whose history is recorded.
type Run struct {
	// Name is the name of the fixture, such as add-field+required.
	Name string `json:"name"`
	// Args are the arguments of skewsim run.
	Args []string `json:"args"`
	// Leg is the name of a chain's leg, "" if the run is not a chain.
	Leg string `json:"leg,omitempty"`
}

// Dir returns where the history is in the directory that skewsim run writes.
func (r Run) Dir(out string) string {
	if r.Leg == "" {
		return out
	}
	return path.Join(out, "legs", r.Leg)
}

// Runs lists the runs to record: of every mutant of the catalogue, and of runs.yaml. The
// catalogue is read once.
var Runs = sync.OnceValues(func() ([]Run, error) {
	var list struct {
		Right []string `json:"right"`
		Other []Run    `json:"other"`
	}
	if err := yaml.UnmarshalStrict(listed, &list); err != nil {
		return nil, fmt.Errorf("runs.yaml: %w", err)
	}
	catalogue, err := load.Catalogue()
	if err != nil {
		return nil, err
	}
	var all []Run
	found := map[string]bool{}
	for _, entry := range catalogue {
		for _, mutant := range entry.Scenario.MutantNames() {
			all = append(all, Run{Name: entry.Name + "+" + mutant, Args: []string{entry.Path() + "+" + mutant}})
		}
		for _, pattern := range list.Right {
			matches, err := path.Match(pattern, entry.Path())
			if err != nil {
				return nil, fmt.Errorf("runs.yaml: %s: %w", pattern, err)
			}
			if matches {
				found[pattern] = true
				all = append(all, Run{Name: entry.Name, Args: []string{entry.Path()}})
			}
		}
	}
	for _, pattern := range list.Right {
		if !found[pattern] {
			return nil, fmt.Errorf("runs.yaml: %s: matches no scenario of the catalogue", pattern)
		}
	}
	return append(all, list.Other...), nil
})

// Match returns the runs whose names a pattern of path.Match matches; without patterns,
// all.
func Match(patterns []string) ([]Run, error) {
	all, err := Runs()
	if err != nil || len(patterns) == 0 {
		return all, err
	}
	var some []Run
	for _, r := range all {
		for _, pattern := range patterns {
			matches, err := path.Match(pattern, r.Name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", pattern, err)
			}
			if matches {
				some = append(some, r)
				break
			}
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("no run that is recorded is called %v", patterns)
	}
	return some, nil
}
