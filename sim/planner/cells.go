package planner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// cell is one combination of a line: a stage and a step, or why it is skipped.
type cell struct {
	stage int
	step  plan.Step
	named bool // the scenario names the stage, so a skip must be reported
	skip  *plan.Skip
}

// lines says what the lines of a scenario multiply to in a plan whose stages are known, and
// adds nothing to the plan.
type lines struct {
	scenario *scenarios.Scenario
	plan     *plan.Plan
	pair     Pair
	hop      Hop // what makes the plan a leg
}

// cells multiplies a line's lists, and plays each combination at each stage
// the line names. Where the line leaves its verbs to its clients, nobody has
// asked for what a client cannot play.
func (ls lines) cells(index int, line scenarios.Line) []cell {
	return ls.cellsAt(fmt.Sprintf("play[%d]", index), line)
}

// cellsAt are the cells of a line by its place in the document.
func (ls lines) cellsAt(at string, line scenarios.Line) []cell {
	var all []cell
	_, object := line.VerbKey()
	_, verbGiven := ls.scenario.Lines[at+".verb"]
	for n, c := range choices(line) {
		if c.verb.Unfit(c.client) != "" && !verbGiven && line.Patch == "" {
			continue
		}
		c.changes = ls.scenario.Objects[object].Changes
		all = append(all, ls.leaveOutUnmade(line, c.cells(line, ls.plan.Stages, n, ls.scenario.Lines[at]))...)
	}
	return all
}

func (c choice) cells(line scenarios.Line, stages []plan.Stage, n, lineNumber int) []cell {
	if c.unfit != "" {
		// No replica makes a difference to it, so none is named.
		_, object := line.VerbKey()
		step := plan.Step{Verb: c.verb, Client: c.client, Object: object, Encoding: c.encoding}
		return []cell{{skip: &plan.Skip{Line: lineNumber, Cell: describe(step), Reason: c.unfit}}}
	}
	named := len(line.At) > 0 && !slices.Contains(line.At, scenarios.EveryStage)
	var all []cell
	for _, i := range meant(line, stages) {
		stage := stages[i]
		step, reason := c.step(line, stage, n+i)
		step.Line = lineNumber
		switch {
		case reason == "":
			all = append(all, cell{stage: i, step: step, named: named})
			if line.Create != "" && len(line.At) == 0 {
				return all // by default an object is created once, as early as possible
			}
		case named:
			all = append(all, cell{skip: &plan.Skip{Line: lineNumber, Stage: stage.Name, Cell: describe(step), Reason: reason}})
		}
	}
	if len(all) == 0 {
		step, reason := c.step(line, stages[0], n)
		reason = cmp.Or(reason, "the leg has no stage that the line names")
		all = append(all, cell{skip: &plan.Skip{Line: lineNumber, Cell: describe(step), Reason: plan.NoStage + reason}})
	}
	return all
}

// meant are the stages that the line names; all, when it names none.
func meant(line scenarios.Line, stages []plan.Stage) []int {
	names := make([]string, len(stages))
	for i, s := range stages {
		names[i] = s.Name
	}
	words := line.At
	if len(words) == 0 {
		words = []string{scenarios.EveryStage}
	}
	var wanted []string
	for _, word := range words {
		wanted = append(wanted, scenarios.MatchStages(word, names)...)
	}
	var indexes []int
	for i, name := range names {
		if slices.Contains(wanted, name) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// step gives the combination its replicas, or says why the stage has none.
// Among replicas of the same release the turn goes round, and a read goes
// through another replica than the write where there is one, so that each
// replica's caches are met.
func (c choice) step(line scenarios.Line, stage plan.Stage, turn int) (plan.Step, string) {
	_, object := line.VerbKey()
	s := plan.Step{
		Action: plan.Operate, Verb: c.verb, Client: c.client, Object: object, Respond: line.Respond, Encoding: c.encoding,
		FieldValidation: c.fieldValidation, APIVersion: c.apiVersion, FieldSelector: c.fieldSelector,
		Manager: c.manager, Force: c.force, Subresource: line.Subresource, Propagation: line.Propagation,
	}
	s.Change = c.mutate(line)
	s.Via, s.Read = string(c.via), string(c.read)
	vias := candidates(stage, c.via)
	if len(vias) == 0 {
		return s, fmt.Sprintf("no replica runs the %s release", c.via)
	}
	reads := candidates(stage, c.read)
	if c.read != "" && len(reads) == 0 {
		return s, fmt.Sprintf("no replica runs the %s release", c.read)
	}
	if len(reads) == 1 {
		vias = otherThan(reads[0], vias)
	}
	via := vias[turn%len(vias)]
	s.Via, s.ViaRole = via.Replica, via.Role
	if c.read != "" {
		reads = otherThan(via, reads)
		read := reads[turn%len(reads)]
		s.Read, s.ReadRole = read.Replica, read.Role
	}
	s.Discovers = discovers(s, stage)
	return s, ""
}

// discovers is the release whose preference the step goes by, if it does. Once
// an upgrade has begun, one who keeps what it discovered knows the new release's.
func discovers(s plan.Step, at plan.Stage) term.Role {
	switch term.Discovery(s.APIVersion) {
	case term.OncePreferred:
		if at.Rollout != "" {
			return term.New
		}
		return term.Old
	case term.Preferred:
		return cmp.Or(s.ReadRole, s.ViaRole)
	}
	return ""
}

// otherThan leaves the replica out, unless there is no other.
func otherThan(r plan.ReplicaStage, all []plan.ReplicaStage) []plan.ReplicaStage {
	others := slices.DeleteFunc(slices.Clone(all), func(o plan.ReplicaStage) bool { return o == r })
	if len(others) == 0 {
		return all
	}
	return others
}

// mutate is what the line declares that it changes.
func (c choice) mutate(l scenarios.Line) *plan.Change {
	switch {
	case l.Touch != "":
		return c.touch(cmp.Or(l.Subresource, c.verb.Subresource()))
	case l.Set != "":
		return &plan.Change{Kind: plan.Fields, Fields: l.Fields, Names: slices.Sorted(maps.Keys(l.Fields))}
	case l.Patch != "":
		return &plan.Change{Kind: plan.Body, Body: l.Body, Names: l.Names}
	}
	return nil
}

// touch is what the line touches. What writes the status or the scale alone touches
// something there, whatever the change.
func (c choice) touch(part string) *plan.Change {
	switch {
	case c.verb.Rewrites():
		return &plan.Change{Kind: plan.Nothing}
	case part == term.StatusPart:
		return &plan.Change{Kind: plan.Condition, Names: []string{path.String(plan.ConditionPath())}}
	case part == term.ScalePart:
		return &plan.Change{Kind: plan.Scale, Names: []string{path.String(plan.ReplicasPath())}}
	case c.change == term.LabelChange || c.change == "":
		return &plan.Change{Kind: plan.Label, Of: term.LabelChange, Names: []string{path.String(plan.LabelPath())}}
	}
	fields := c.changes[c.change]
	return &plan.Change{Kind: plan.Fields, Of: c.change, Fields: fields, Names: slices.Sorted(maps.Keys(fields))}
}

// describe is a cell in words: "touch scratch: put by old-typed, read old, via new".
func describe(s plan.Step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s by %s%s", s.Verb, s.Object, s.Client, s.Manner())
	if s.Read != "" {
		fmt.Fprintf(&b, ", read %s", s.Read)
	}
	if s.Via != "" {
		fmt.Fprintf(&b, ", via %s", s.Via)
	}
	return b.String()
}
