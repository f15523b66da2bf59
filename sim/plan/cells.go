package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// cell is one combination of a line: a stage and a step, or why it is skipped.
type cell struct {
	stage int
	step  Step
	named bool // the scenario names the stage, so a skip must be reported
	skip  *Skip
}

// lines says what the lines of a scenario multiply to in a plan whose stages are known, and
// adds nothing to the plan.
type lines struct {
	scenario *scenarios.Scenario
	plan     *Plan
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

func (c choice) cells(line scenarios.Line, stages []Stage, n, lineNumber int) []cell {
	if c.unfit != "" {
		// No replica makes a difference to it, so none is named.
		_, object := line.VerbKey()
		step := Step{Verb: c.verb, Client: c.client, Object: object, Encoding: c.encoding}
		return []cell{{skip: &Skip{Line: lineNumber, Cell: describe(step), Reason: c.unfit}}}
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
			all = append(all, cell{skip: &Skip{Line: lineNumber, Stage: stage.Name, Cell: describe(step), Reason: reason}})
		}
	}
	if len(all) == 0 {
		step, reason := c.step(line, stages[0], n)
		reason = cmp.Or(reason, "the leg has no stage that the line names")
		all = append(all, cell{skip: &Skip{Line: lineNumber, Cell: describe(step), Reason: NoStage + reason}})
	}
	return all
}

// meant are the stages that the line names; all, when it names none.
func meant(line scenarios.Line, stages []Stage) []int {
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
func (c choice) step(line scenarios.Line, stage Stage, turn int) (Step, string) {
	_, object := line.VerbKey()
	s := Step{
		Action: Operate, Verb: c.verb, Client: c.client, Object: object, Respond: line.Respond, Encoding: c.encoding,
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
func discovers(s Step, at Stage) term.Role {
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
func otherThan(r ReplicaStage, all []ReplicaStage) []ReplicaStage {
	others := slices.DeleteFunc(slices.Clone(all), func(o ReplicaStage) bool { return o == r })
	if len(others) == 0 {
		return all
	}
	return others
}

// mutate is what the line declares that it changes.
func (c choice) mutate(l scenarios.Line) *Change {
	switch {
	case l.Touch != "":
		return c.touch(cmp.Or(l.Subresource, c.verb.Subresource()))
	case l.Set != "":
		return &Change{Kind: Fields, Fields: l.Fields, Names: slices.Sorted(maps.Keys(l.Fields))}
	case l.Patch != "":
		return &Change{Kind: Body, Body: l.Body, Names: l.Names}
	}
	return nil
}

// touch is what the line touches. What writes the status or the scale alone touches
// something there, whatever the change.
func (c choice) touch(part string) *Change {
	switch {
	case c.verb.Rewrites():
		return &Change{Kind: Nothing}
	case part == term.StatusPart:
		return &Change{Kind: Condition, Names: []string{path.String(ConditionPath())}}
	case part == term.ScalePart:
		return &Change{Kind: Scale, Names: []string{path.String(ReplicasPath())}}
	case c.change == term.LabelChange || c.change == "":
		return &Change{Kind: Label, Of: term.LabelChange, Names: []string{path.String(LabelPath())}}
	}
	fields := c.changes[c.change]
	return &Change{Kind: Fields, Of: c.change, Fields: fields, Names: slices.Sorted(maps.Keys(fields))}
}

// describe is a cell in words: "touch scratch: put by old-typed, read old, via new".
func describe(s Step) string {
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
