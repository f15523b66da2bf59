package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/plan"
)

const someExpected = `name: x
about: x
objects:
  always: {bystander: bystander.yaml}
play:
- {create: always}
expect:
- {check: nothing-lost}
- {check: rule-1, when: {old: "< 1.36"}}
- {check: rule-2, when: {new: ">= 1.37"}, owner: sig-node, until: 2027-03-31, why: it is known}
`

// TestElsewhere: the plan has every line, and says which are for other pairs, and which
// have a last day.
func TestElsewhere(t *testing.T) {
	s := parse(t, "x", someExpected)
	of := func(old, new, oldVersion, newVersion string) *plan.Plan {
		p, err := plan.Build(s, plan.Pair{Old: old, New: new, OldVersion: oldVersion, NewVersion: newVersion}, 0)
		require.NoError(t, err)
		require.Len(t, p.Expect, 3, "a line's place says which it is")
		return p
	}
	p := of("kube-apiserver@v1.36.3", "kube-apiserver@v1.37.0", "", "")
	assert.True(t, p.IsElsewhere(2))
	assert.False(t, p.IsElsewhere(3))
	assert.Contains(t, p.String(), "not expected here: line 9: it is for a pair whose old release is < 1.36, and this one's is v1.36.3\n")
	assert.Contains(t, p.String(), "expected until 2027-03-31 (UTC): line 10, owned by sig-node: it is known\n")
	require.NoError(t, p.Undecided())

	p = of("kube-apiserver@v1.35.4", "kube-apiserver@v1.36.1", "", "")
	assert.False(t, p.IsElsewhere(2))
	assert.True(t, p.IsElsewhere(3))
	assert.NotContains(t, p.String(), "expected until", "what is for others ends for others")

	p = of("kube-apiserver@v1.36.3", "path:./x", "", "")
	assert.Contains(t, p.String(), "perhaps not expected here: line 10: whether it is for this pair is known when its releases are\n")
	require.ErrorContains(t, p.Undecided(), "x.yaml:10: expect[2].when: the version of one of the releases kube-apiserver@v1.36.3 and path:./x is unknown")
	p = of("kube-apiserver@v1.36.3", "path:./x", "v1.36.3", "v1.37.0-alpha.2")
	require.NoError(t, p.Undecided())
	assert.False(t, p.IsElsewhere(3))

	text, err := json.Marshal(p)
	require.NoError(t, err)
	var again plan.Plan
	require.NoError(t, json.Unmarshal(text, &again))
	assert.Equal(t, p.Elsewhere, again.Elsewhere, "the history's header carries it")
	_, err = plan.Build(s, plan.Pair{Old: "kube-apiserver@newest", New: "path:./x"}, 0)
	require.ErrorContains(t, err, `x.yaml:9: expect[1]: old release: version "newest"`)
}
