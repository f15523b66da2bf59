package plan_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestDiscovers holds whose preference a step goes by: that of the release it
// asks; of one who keeps what it learnt, the new release's once that has served.
func TestDiscovers(t *testing.T) {
	p := build(t, parse(t, "s", "name: s\nabout: x\njourney: [upgrade, rollback]\n"+
		"objects: {x: {bystander: bystander.yaml}}\nplay:\n- {create: x, via: old}\n"+
		"- {touch: x, verb: [put, merge-patch], read: [old, new], via: [old, new], apiVersion: [preferred, once-preferred, v1], at: [upgrading, rolled-back]}\n"), 0)
	met := map[term.CopyRole]int{}
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if s.APIVersion == "" {
				continue
			}
			asked := s.ViaRole
			if s.Verb == term.Put {
				asked = s.ReadRole
			}
			want := map[string]term.Role{"preferred": asked, "once-preferred": term.Old, "v1": ""}
			if stage.Name != "old" {
				want["once-preferred"] = term.New
			}
			assert.Equal(t, want[s.APIVersion], s.Discovers, "%s: %s", stage.Name, s)
			met[roleOf(p, s.Copy)]++
			if roleOf(p, s.Copy) == term.Control {
				assert.Equal(t, term.Old, cmp.Or(s.Discovers, term.Old), "a control knows nothing of the new release: %s", s)
			}
		}
	}
	assert.NotZero(t, met[term.Bystander])
	assert.NotZero(t, met[term.Control])
}

func roleOf(p *plan.Plan, name string) term.CopyRole {
	for _, c := range p.Copies {
		if c.Name == name {
			return c.Role
		}
	}
	return ""
}
