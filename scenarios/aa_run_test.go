package scenarios_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

const trial = `name: s
about: x
releases: {old: "< 1.37", new: ">= 1.37", pair: kube-apiserver@v1.36.3..v1.37.0}
old: {flags: --v=1}
new: {flags: --v=2}
objects:
  both: {treated: t.yaml, bystander: o.yaml}
  treated: {treated: t.yaml}
play:
- {create: both, via: new}
- {create: treated, via: new}
- {touch: treated}
- {get: both, respond: {code: 404}}
- {set: both, fields: {.data.a: b}}
- {patch: both, type: merge-patch, body: {data: {a: b}}}
- {touch: both, apiVersion: v2}
- touch: both
  verb: put
expect:
- {check: nothing-lost, path: .data.new}
`

func loadTrial(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := load.FS(fstest.MapFS{
		"s.yaml": {Data: []byte(text)}, "o.yaml": {Data: []byte(configMap)}, "t.yaml": {Data: []byte(configMap + "data: {new: a}\n")},
	}, "s.yaml")
	require.NoError(t, err)
	return s
}

// TestAARun: what is left of a scenario where nothing changes.
func TestAARun(t *testing.T) {
	s := loadTrial(t, trial)
	for role, want := range map[term.Role]struct {
		lines   []int
		objects map[string]scenarios.Object
		options string
	}{
		term.Old: {[]int{10, 17}, map[string]scenarios.Object{"both": {Bystander: "o.yaml"}}, "--v=1"},
		term.New: {[]int{10, 11, 12, 14, 15, 16, 17}, s.Objects, "--v=2"},
	} {
		p, err := s.AARun(role)
		require.NoError(t, err)
		var lines []int
		for i := range p.Play {
			lines = append(lines, p.Lines["play["+string(rune('0'+i))+"]"])
		}
		assert.Equal(t, want.lines, lines, role)
		assert.Equal(t, 18, p.Lines["play["+string(rune('0'+len(lines)-1))+"].verb"], role)
		assert.Equal(t, want.objects, p.Objects, role)
		assert.Equal(t, []string{want.options}, p.Old.Flags)
		assert.Equal(t, []string{want.options}, p.New.Flags)
		assert.Empty(t, p.Expect)
		assert.Empty(t, p.Mutants)
		assert.Equal(t, "s-aa-"+string(role), p.Name)
		for _, end := range []term.Role{term.Old, term.New} {
			allowed, err := p.Releases.Allows(end, "v1.30.0")
			assert.NoError(t, err)
			assert.True(t, allowed)
		}
	}
	assert.Equal(t, loadTrial(t, trial), s, "the scenario itself is as it was")
}

// TestAARunThatEmulates: a new release that emulates another lacks the change as that release
// does, so its A/A run equals that of the old release.
func TestAARunThatEmulates(t *testing.T) {
	old, err := loadTrial(t, trial).AARun(term.Old)
	require.NoError(t, err)
	s := loadTrial(t, trial)
	s.New.EmulatedVersion = "1.36"
	p, err := s.AARun(term.New)
	require.NoError(t, err)
	assert.Equal(t, old.Objects, p.Objects)
	assert.Equal(t, old.Play, p.Play)
	assert.Equal(t, "1.36", p.Old.EmulatedVersion)
	s.New.EmulatedVersion, s.Old.EmulatedVersion = "", "1.36" // the other end's is not played
	p, err = s.AARun(term.New)
	require.NoError(t, err)
	assert.Equal(t, s.Objects, p.Objects)
}

func TestAARunOfNothing(t *testing.T) {
	s := loadTrial(t, "name: s\nabout: x\nobjects: {x: {treated: t.yaml}}\nplay: [{create: x}]\n")
	_, err := s.AARun(term.Old)
	assert.EqualError(t, err, "s.yaml: nothing is left for an A/A run of the old release: "+
		"it needs an object with a bystander's form, and a line that creates it and declares no answer")
	_, err = s.AARun(term.New)
	assert.NoError(t, err)
}

// TestCatalogueHasAARuns: every scenario of the catalogue can be played so, but for
// those that have no object without the change, and why.
func TestCatalogueHasAARuns(t *testing.T) {
	none := map[string]string{
		"every-kind":   "has no change at all: a second form of 59 kinds would be the same once more",
		"shapes-newer": "is about kinds that the old release does not serve",
	}
	entries, err := load.Catalogue()
	require.NoError(t, err)
	for _, e := range entries {
		_, err := e.Scenario.AARun(term.Old)
		assert.Equal(t, none[e.Name] != "", err != nil, "%s: %v", e.Name, err)
		_, err = e.Scenario.AARun(term.New)
		assert.NoError(t, err, e.Name)
	}
}
