package tiers

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
)

// TestSelected: unset, plain `go test ./...` is `make test`.
func TestSelected(t *testing.T) {
	for variable, want := range map[string][]Tier{
		"": {Smoke}, "frobber": {Frobber}, "frobber,race": {Frobber, Race}, "nightly": {Nightly}, "night": nil,
	} {
		var got []Tier
		for _, tier := range All() {
			if selected(variable, tier) {
				got = append(got, tier)
			}
		}
		assert.Equal(t, want, got, variable)
	}
}

// TestNamed: the name of a test tells its tier.
func TestNamed(t *testing.T) {
	assert.True(t, named("TestFrobberMutants/played", Frobber))
	assert.False(t, named("TestMutantsFrobber", Frobber))
	assert.False(t, named("TestFrobberMutants", Nightly))
}

// TestShard: all parts together are the whole, in order within each.
func TestShard(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	var all []string
	for _, part := range []string{"1/3", "2/3", "3/3"} {
		got, err := shard(part, names)
		require.NoError(t, err)
		assert.True(t, slices.IsSorted(got))
		all = append(all, got...)
	}
	assert.ElementsMatch(t, names, all)
	whole, err := shard("", names)
	require.NoError(t, err)
	assert.Equal(t, names, whole)
	for _, wrong := range []string{"0/3", "4/3", "1", "a/b", "-1/2"} {
		_, err := shard(wrong, names)
		assert.Error(t, err, wrong)
	}
}

// TestTable: tiers.yaml names what the catalogue has, and the nightly plays all of it.
func TestTable(t *testing.T) {
	entries, err := load.Catalogue()
	require.NoError(t, err)
	night, err := plays(Nightly)
	require.NoError(t, err)
	assert.NotEmpty(t, night.Pairs)
	for _, e := range entries {
		assert.Contains(t, night.Scenarios, e.Path())
		for _, mutant := range e.Scenario.MutantNames() {
			assert.Contains(t, night.Mutants, e.Path()+"+"+mutant)
		}
	}
	all, err := table()
	require.NoError(t, err)
	for tier := range all {
		assert.Contains(t, All(), tier)
		_, err := plays(tier)
		assert.NoError(t, err, "tier %s", tier)
	}
}
