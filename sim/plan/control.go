package plan

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/term"
)

// control gives an object its control copies: made by an old client through an
// old server before anything changes, of the form that does not use the change.
// In the first stage every call that a touch makes is made on one of them: what
// it then comes to is what later calls are held against (rule-1, rule-2). In
// later stages only old clients meet them, through old servers, while there
// are any: whatever happens to them then, no new client or server did.
func (b *builder) control(object string) {
	if b.scenario.Objects[object].Bystander == "" {
		return
	}
	made := map[string]bool{}
	for i, line := range b.scenario.Play {
		if line.Touch != object {
			continue
		}
		for _, c := range b.cells(i, controlled(line)) {
			if c.skip == nil && (c.stage == 0 || old(c.step.Client)) {
				b.addControl(object, c, made)
			}
		}
	}
}

// controlled is the line as control copies meet it: through old servers, at
// every stage that has one.
func controlled(line scenarios.Line) scenarios.Line {
	line.Via, line.Read = []scenarios.Target{scenarios.Target(term.Old)}, nil
	line.At, line.Respond = []string{scenarios.EveryStage}, nil
	return line
}

// old tells whether a client knows nothing of the new release.
func old(c term.Client) bool {
	role, typed := c.Role()
	return !typed || role == term.Old
}

// addControl gives the cell a copy of its own, unless another line has done so.
func (b *builder) addControl(object string, c cell, made map[string]bool) {
	key := fmt.Sprint(c.stage, describe(c.step), c.step.Mutation)
	if made[key] {
		return
	}
	made[key] = true
	birth := Step{Action: Operate, Verb: term.Create, Client: b.oldClient(object), Object: object, Line: c.step.Line}
	via := b.plan.Stages[0].Replicas[len(made)%len(b.plan.Replicas)]
	birth.Via, birth.ViaRole = via.Replica, via.Role
	step := c.step
	step.Copy = b.create(object, term.Control, term.Bystander, origin{0, birth})
	b.operations[c.stage] = append(b.operations[c.stage], step)
}

// oldClient is who makes control copies: the typed client, where the scenario
// has typed clients at all.
func (b *builder) oldClient(object string) term.Client {
	for _, line := range b.scenario.Play {
		_, about := line.VerbKey()
		if about == object && slices.ContainsFunc(line.Client, typed) {
			return term.OldTyped
		}
	}
	return term.Dynamic
}

func typed(c term.Client) bool {
	_, has := c.Role()
	return has
}
