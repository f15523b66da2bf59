package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Again plans the scenario of a plan that was played from its file as the file is now, so
// that the record can be judged by the lines of expect which the file has by now. Versions
// are those that the builds said of themselves. Error: the file plans something other than
// what was played.
func Again(p *Plan, s *scenarios.Scenario, versions map[term.Role]string) (*Plan, error) {
	played := *s
	if mutant := p.Mutant; mutant != nil {
		played.Mutant = mutant.Name
	}
	played.Orders, played.Order = orders(p)
	pair := Pair{
		Old: p.Releases[0].Reference, OldVersion: versions[term.Old],
		New: p.Releases[1].Reference, NewVersion: versions[term.New], Programs: p.Releases[0].Program,
		FileNamesPrograms: p.Releases[0].NamesProgram, OldExecutes: p.Releases[0].Executes, NewExecutes: p.Releases[1].Executes,
	}
	again, err := Build(played.WithGiven(recordedOptions(p)), pair, p.Seed)
	if err != nil {
		return nil, err
	}
	part, err := differs(p, again)
	if err == nil && part != "" {
		err = fmt.Errorf("%s: is not what was played: another %s is planned from it: play it again with skewsim run", s.File, part)
	}
	return again, err
}

// orders is how many orders the plan has, and the number of the one that it has alone.
func orders(p *Plan) (all, only int) {
	played := map[int]bool{}
	for _, c := range p.Copies {
		if c.Order > 0 {
			played[c.Order] = true
			all = max(all, c.Order)
		}
	}
	if len(played) == 1 && all > 1 {
		only = all
	}
	return all, only
}

// recordedOptions are the options that whoever played the plan gave.
func recordedOptions(p *Plan) map[term.Role]scenarios.Options {
	all := map[term.Role]scenarios.Options{}
	for _, r := range p.Releases {
		if r.Given != nil {
			all[r.Role] = *r.Given
		}
	}
	return all
}

// differs names the first part of a plan that another has otherwise, but for what says
// nothing of what is done: what is expected, what it is about, and where its lines stand.
func differs(p *Plan, other *Plan) (part string, err error) {
	mine, err := doings(p)
	if err != nil {
		return "", err
	}
	theirs, err := doings(other)
	if err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(merged(mine, theirs))) {
		if !bytes.Equal(mine[name], theirs[name]) {
			return name, nil
		}
	}
	return "", nil
}

func merged(mine, theirs map[string]json.RawMessage) map[string]json.RawMessage {
	all := maps.Clone(mine)
	maps.Copy(all, theirs)
	return all
}

// doings are the parts of the plan that say what is done.
func doings(p *Plan) (parts map[string]json.RawMessage, err error) {
	bare := *p
	bare.About, bare.File, bare.Expect, bare.NoExpect, bare.Elsewhere, bare.Mutant = "", "", nil, false, nil, nil
	bare.Stages, bare.Skipped = slices.Clone(p.Stages), slices.Clone(p.Skipped)
	for i, stage := range bare.Stages {
		bare.Stages[i].Steps = slices.Clone(stage.Steps)
		for j := range stage.Steps {
			bare.Stages[i].Steps[j].Line = 0
		}
	}
	for i := range bare.Skipped {
		bare.Skipped[i].Line = 0
	}
	text, err := json.Marshal(bare)
	if err == nil {
		err = json.Unmarshal(text, &parts)
	}
	return parts, err
}
