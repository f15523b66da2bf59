package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// counting is a mind that moves the generation with each change of the spec.
func counting(t *testing.T) mind {
	at := parsePath(t, ".metadata.generation")
	return mind{drops: func(now, was object) {
		if was == nil {
			assert.NoError(t, path.Set(now, at, 1))
			return
		}
		n := number(t, was, ".metadata.generation")
		before, _ := path.Get(was, parsePath(t, ".spec"))
		after, _ := path.Get(now, parsePath(t, ".spec"))
		if !assert.ObjectsAreEqual(before, after) {
			n++
		}
		assert.NoError(t, path.Set(now, at, n))
	}}
}

// TestGenerationStandsStill: a release that does not count the changes of a kind's spec,
// beside one that does, is a finding of its own; a label changes no spec, and where both
// count, or neither does, nothing differs.
func TestGenerationStandsStill(t *testing.T) {
	const still = ` varies unattributed bystander-1 .metadata.generation in step 6 (upgrading 1/2)`
	for name, c := range map[string]struct {
		counts []term.Role
		labels bool
		want   []string
	}{
		"the old release stands still": {counts: []term.Role{term.New}, want: []string{"rule-2 impact rule-2" + still}},
		"the new release stands still": {counts: []term.Role{term.Old}, want: []string{"rule-2 violation rule-2 varies unattributed bystander-2 .metadata.generation in step 5 (upgrading 1/2)"}},
		"both count":                   {counts: []term.Role{term.Old, term.New}},
		"neither counts":               {},
		"labels alone are changed":     {counts: []term.Role{term.New}, labels: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			for _, role := range c.counts {
				s.thinks(role, counting(t))
			}
			change := set(".spec.colour", "blue")
			if c.labels {
				change = func(*act) {}
			}
			s.create("bystander-1", plainSpec, via("a"))
			s.create("bystander-2", plainSpec, via("a"))
			s.patch("bystander-2", change, via("a"))
			s.patch("bystander-1", change, via("b"))
			s.edge()
			res := s.finds(c.want...)
			for _, f := range res.Findings {
				assert.Equal(t, term.Unmoved, f.Generation)
			}
		})
	}
}
