package scenarios_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

func journey(legs int) []term.Rollout {
	return slices.Repeat([]term.Rollout{term.Upgrade, term.Rollback}, legs)[:legs]
}

func TestStageNames(t *testing.T) {
	assert.Equal(t, []string{
		"old", "upgrading 1/2", "new", "rolling-back 1/2", "rolled-back", "re-upgrading 1/2", "re-upgraded",
	}, scenarios.StageNames(journey(3), 2, false))
	assert.Equal(t, []string{
		"old", "upgrading 1/3", "upgrading 2/3", "new",
	}, scenarios.StageNames(journey(1), 3, false))
	assert.Equal(t, []string{
		"old", "new", "rolled-back", "re-upgraded", "re-rolled-back",
		"re-upgraded-2", "re-rolled-back-2", "re-upgraded-3",
	}, scenarios.StageNames(journey(7), 1, false))
	assert.Equal(t, []string{"re-rolling-back 1/2", "re-rolled-back", "re-upgrading-2 1/2", "re-upgraded-2"},
		scenarios.StageNames(journey(5), 2, false)[7:])
	assert.Equal(t, []string{"old", "upgrading 1/3", "upgrading 2/3"},
		scenarios.StageNames([]term.Rollout{term.Upgrade, term.Halt}, 3, false))
	assert.Equal(t, []string{"old", "upgrading 1/2", "new", "rolling-back 1/2"},
		scenarios.StageNames([]term.Rollout{term.Upgrade, term.Rollback, term.Halt}, 2, false))
}

// TestStageNamesAreUnique walks the journeys that a scenario can have.
func TestStageNamesAreUnique(t *testing.T) {
	for legs := range 13 {
		names := scenarios.StageNames(journey(legs), 5, false)
		slices.Sort(names)
		assert.Len(t, slices.Compact(slices.Clone(names)), len(names))
	}
}

func TestMatchStages(t *testing.T) {
	stages := scenarios.StageNames(journey(3), 3, false)
	for word, want := range map[string][]string{
		"old":           {"old"},
		"upgrading":     {"upgrading 1/3", "upgrading 2/3"},
		"upgrading 2/3": {"upgrading 2/3"},
		"re-upgrading":  {"re-upgrading 1/3", "re-upgrading 2/3"},
		"every":         stages,
		"upgrading 3/3": nil,
		"re-upgrad":     nil,
		"":              nil,
	} {
		assert.Equal(t, want, scenarios.MatchStages(word, stages), word)
	}
}

// TestInOrder holds that a checkout stands where the release stands that it will become,
// and a minor alone nowhere among its patches.
func TestInOrder(t *testing.T) {
	const checkout = "v1.37.0-alpha.1.123+0123456789abcd-dirty"
	for _, pair := range [][2]string{{"v1.36.3", checkout}, {checkout, checkout}, {checkout, "v1.37.0"}, {"v1.37.0", checkout}, {checkout, ""}, {"v1.36.1", "v1.36.1-5+0123456789abcd"},
		{"v1.36.1", "v1.36"}, {"v1.36", "v1.36.1"}, {"v1.36", "v1.36"}, {"v1.35.4", "v1.36"}} {
		assert.NoError(t, scenarios.InOrder(pair[0], pair[1]), "%v", pair)
	}
	for _, pair := range [][2]string{{checkout, "v1.36.3"}, {"v1.38.0", checkout}, {"v1.36.3", "v1.36.1-5+0123456789abcd"},
		{"v1.36.1", "v1.35"}, {"v1.36", "v1.35.4"}, {"v1.36", "v1.35"}, {"v2.36.1", "v1.36"}} {
		assert.ErrorContains(t, scenarios.InOrder(pair[0], pair[1]), " is newer than the new one ", "%v", pair)
	}
}

func TestAllows(t *testing.T) {
	r := scenarios.Releases{Of: "kube-apiserver", Old: "< 1.37", New: ">= 1.37, < 2"}
	for _, c := range []struct {
		role    term.Role
		release string
		want    bool
	}{
		{term.Old, "v1.36.3", true},
		{term.Old, "v1.37.0", false},
		{term.Old, "v1.37.0-alpha.1", false},
		{term.New, "v1.37.0-rc.1", true},
		{term.New, "1.37", true},
		// A checkout counts as the release that it will become.
		{term.New, "v1.37.0-alpha.1.123+0123456789abcd-dirty", true},
		{term.Old, "v1.37.0-alpha.1.123+0123456789abcd-dirty", false},
		{term.New, "v1.37.0-dev+0123456789abcd", true},
		{term.New, "v1.36.1-5+0123456789abcd-dirty", false},
		{term.Old, "v1.36.1-5+0123456789abcd-dirty", true},
		{term.New, "v2.0.0", false},
		{term.New, "1.40.1+build", true},
	} {
		got, err := r.Allows(c.role, c.release)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%s %s", c.role, c.release)
	}
	_, err := r.Allows(term.Old, "main")
	assert.EqualError(t, err, `old release: version "main": malformed version: main`)
	_, err = scenarios.Releases{New: "newest"}.Allows(term.New, "v1.37.0")
	assert.ErrorContains(t, err, `releases.new: constraint "newest": `)
	free, err := scenarios.Releases{}.Allows(term.New, "main")
	assert.NoError(t, err)
	assert.True(t, free, "without a constraint any build will do")
	assert.Equal(t, "the scenario requires kube-apiserver < 1.37 as the old release", r.Requirement(term.Old))
	assert.Equal(t, "the scenario requires frobber as the new release", scenarios.Releases{Of: "frobber"}.Requirement(term.New))
}

// TestProgramStages: where releases have programs, an upgrade is in parts, unless the new program runs already; the other
// legs have a stage each.
func TestProgramStages(t *testing.T) {
	assert.Equal(t, []string{
		"old", "upgrading definitions", "upgrading absent", "new", "program-rolled-back", "rolled-back", "forgotten", "re-upgraded",
	}, scenarios.StageNames(scenarios.ProgramJourney(), 1, true))
	again := []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade, term.ProgramRollback, term.Rollback}
	assert.Equal(t, []string{
		"old", "upgrading definitions", "upgrading absent", "new", "rolled-back", "re-upgrading definitions", "re-upgrading absent", "re-upgraded",
		"program-rolled-back", "re-rolled-back",
	}, scenarios.StageNames(again, 1, true))
	assert.Equal(t, []string{"old", "new", "rolled-back", "re-upgraded", "program-rolled-back", "re-rolled-back"}, scenarios.StageNames(again, 1, false))
	assert.Contains(t, scenarios.StageNames([]term.Rollout{term.Upgrade}, 2, true), "upgrading 1/2")
	assert.NotContains(t, scenarios.StageNames([]term.Rollout{term.Upgrade, term.Halt}, 2, true), "upgrading absent")
}
