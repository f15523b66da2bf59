package plan_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// everyCall are the calls of the catalogue's every-call on treated and
// untouched copies, and its LISTs, each in the words of due.
func everyCall(t *testing.T) (calls map[string]bool, p *plan.Plan) {
	s, err := load.Find("every-call")
	require.NoError(t, err)
	p = build(t, s, 0)
	calls = map[string]bool{}
	controls := map[string]bool{}
	for _, c := range p.Copies {
		controls[c.Name] = c.Role == term.Control
	}
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			if step.Action != plan.Operate || controls[step.Copy] {
				continue
			}
			who := fmt.Sprintf("%s by %s", step.Verb, step.Client)
			calls[who], calls[fmt.Sprint(who, " birth ", step.Birth)] = true, true
			calls[who+" "+string(step.Encoding)], calls[who+" "+string(step.FieldValidation)] = true, true
			if step.Change != nil {
				calls[who+" "+string(step.Change.Of)] = true
			}
		}
	}
	return calls, p
}

// TestEveryCallPlaysEveryCall: its name promises every client,
// verb, change, encoding and fieldValidation, as far as each goes with each.
func TestEveryCallPlaysEveryCall(t *testing.T) {
	calls, p := everyCall(t)
	for _, due := range everyCallDue() {
		assert.True(t, calls[due], due)
	}
	assert.Empty(t, p.Skipped)
	assert.LessOrEqual(t, len(p.Copies), 800, "a run of it is to stay short")
}

func everyCallDue() (due []string) {
	for _, verb := range term.Verbs() {
		for _, client := range term.Clients() {
			v, who := verb.Word, fmt.Sprintf("%s by %s", verb.Word, client.Word)
			// Post and Evict are of some kinds only, which shapes-parts plays; older
			// clients are of a release that a scenario must name, as older-client does.
			elsewhere := v == term.Post || v == term.Evict || client.Word == term.OlderTyped || client.Word == term.OlderApply
			if v.Unfit(client.Word) != "" || elsewhere {
				continue
			}
			due = append(due, who)
			if v.Creates() {
				due = append(due, who+" birth true")
			}
			if term.Protobuf.Unfit(v, client.Word) == "" {
				due = append(due, who+" "+string(term.Protobuf))
			}
			for _, m := range term.Changes() {
				if v.Carries() {
					due = append(due, who+" "+string(m.Word))
				}
			}
			for _, f := range term.FieldValidations() {
				if v.Modifies() {
					due = append(due, who+" "+string(f.Word))
				}
			}
		}
	}
	return due
}

// TestEveryCallCanLack: what is due is more than the clients and verbs, and a
// call that nobody plays is missed.
func TestEveryCallCanLack(t *testing.T) {
	calls, _ := everyCall(t)
	assert.False(t, calls["put by old-apply"])
	assert.Greater(t, len(everyCallDue()), 200)
}
