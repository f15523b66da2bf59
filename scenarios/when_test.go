package scenarios_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TestElsewhere: which pairs a line is for. A prerelease counts as its release, one end
// that does not fit is enough, and what nobody knows yet stays open.
func TestElsewhere(t *testing.T) {
	const here, other, open = "here", "other", "open"
	for _, c := range []struct {
		when     *scenarios.When
		old, new string
		want     string
	}{
		{nil, "v1.35.4", "v1.36.1", here},
		{nil, "", "", here},
		{&scenarios.When{New: ">= 1.36"}, "v1.35.4", "v1.36.1", here},
		{&scenarios.When{New: ">= 1.37"}, "v1.35.4", "v1.36.1", other},
		{&scenarios.When{New: ">= 1.37"}, "v1.36.1", "v1.37.0-alpha.1+dirty", here},
		{&scenarios.When{Old: "< 1.36"}, "v1.36.0-rc.1", "v1.36.1", other},
		{&scenarios.When{Old: "< 1.36", New: ">= 1.36"}, "v1.35.4", "v1.36.1", here},
		{&scenarios.When{Old: "< 1.35", New: ">= 1.36"}, "v1.35.4", "v1.36.1", other},
		{&scenarios.When{Old: "< 1.35", New: ">= 1.36"}, "v1.35.4", "", other},
		{&scenarios.When{Old: "< 1.36", New: ">= 1.36"}, "v1.35.4", "", open},
		{&scenarios.When{Old: "< 1.36"}, "v1.35.4", "", here},
		{&scenarios.When{New: ">= 1.1"}, "1.0", "1.1+required", here},
	} {
		versions := map[term.Role]string{term.Old: c.old, term.New: c.new}
		why, undecided, err := scenarios.Expectation{When: c.when}.Elsewhere(func(role term.Role) string { return versions[role] })
		require.NoError(t, err)
		got := map[bool]string{true: here, false: other}[why == ""]
		if undecided {
			got = open
		}
		assert.Equal(t, c.want, got, "%+v: %s .. %s: %s", c.when, c.old, c.new, why)
	}
	_, _, err := scenarios.Expectation{When: &scenarios.When{New: ">= 1.1"}}.Elsewhere(func(term.Role) string { return "newest" })
	require.ErrorContains(t, err, `version "newest"`)
}

// TestExpired: the last day still counts, to its end and in UTC; the next does not.
func TestExpired(t *testing.T) {
	e := scenarios.Expectation{Until: "2027-03-31"}
	east := time.FixedZone("east", 10*3600)
	for day, want := range map[time.Time]bool{
		time.Date(2027, 3, 30, 12, 0, 0, 0, time.UTC):   false,
		time.Date(2027, 3, 31, 23, 59, 59, 0, time.UTC): false,
		time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC):     true,
		time.Date(2027, 4, 1, 9, 0, 0, 0, east):         false, // it is still March there, in UTC
		time.Date(2027, 4, 1, 10, 0, 0, 0, east):        true,
		time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC):   false,
		{}: false, // a history that does not say when it began
	} {
		assert.Equal(t, want, e.Expired(day), day)
	}
	assert.False(t, scenarios.Expectation{Owner: "sig-node"}.Expired(time.Now()), "an owner alone is no end")
}

// TestWhereNoPairIsMeant: the expectation that catches a mutant applies to all pairs, and
// folders of manifests have no versions.
func TestWhereNoPairIsMeant(t *testing.T) {
	load := func(text string) error {
		_, err := load.FS(fstest.MapFS{
			"x.yaml": {Data: []byte("name: x\nabout: x\nobjects: {o: {bystander: o.yaml}}\nplay: [{create: o}]\n" + text)},
			"o.yaml": {Data: []byte("{apiVersion: example.dev/v1, kind: Gadget}")},
		}, "x.yaml")
		return err
	}
	const mutant = "releases: {of: frobber}\nmutants: {t: {about: x, caught: {check: rule-1, via: new"
	require.NoError(t, load(mutant+"}}}\n"))
	require.ErrorContains(t, load(mutant+`, when: {new: ">= 1.1"}}}}`), "x.yaml:6: mutants.t.caught.when: is for lines of expect")
	require.ErrorContains(t, load(mutant+", owner: me, until: 2027-01-01}}}"), "x.yaml:6: mutants.t.caught.until: is for lines of expect")
	require.ErrorContains(t, load("releases: {of: crd}\nexpect: [{check: rule-1, when: {new: \">= 1.1\"}}]\n"),
		"x.yaml:6: expect[0].when: releases of crd have no versions")
}

// TestWhenNoReleaseIsMeant: a line that is for no release that the scenario is for would
// never be held against anything.
func TestWhenNoReleaseIsMeant(t *testing.T) {
	for when, want := range map[string]string{
		`{old: "< 1.1, > 1.2"}`:           `expect[0].when.old: no release meets "< 1.1, > 1.2"`,
		`{old: "> 1.2.3, < 1.2.4"}`:       `expect[0].when.old: no release meets "> 1.2.3, < 1.2.4"`,
		`{old: "> 1.2.3, < 1.2.5"}`:       "",
		`{old: "~> 1.2, > 1.9"}`:          "",
		`{old: "~> 1.2.0, > 1.9"}`:        `expect[0].when.old: no release meets "~> 1.2.0, > 1.9"`,
		`{old: "!= 1.2"}`:                 "",
		`{old: "< 0.0.1"}`:                "",
		`{new: ">= 1.3"}`:                 "",
		`{new: "> 1.5"}`:                  `expect[0].when.new: no release meets both "> 1.5" and releases.new, which is ">= 1.2, < 1.5"`,
		`{new: "< 1.2"}`:                  `expect[0].when.new: no release meets both "< 1.2" and releases.new`,
		`{new: "<= 1.2"}`:                 "",
		`{old: "> 1.5", new: "> 1.4"}`:    "",
		`{old: ">= 1.37.0-alpha.1, < 2"}`: "",
	} {
		_, err := load.FS(fstest.MapFS{
			"x.yaml": {Data: []byte("name: x\nabout: x\nreleases: {of: frobber, new: \">= 1.2, < 1.5\"}\nobjects: {o: {bystander: o.yaml}}\nplay: [{create: o}]\n" +
				"expect: [{check: rule-1, when: " + when + "}]\n")},
			"o.yaml": {Data: []byte("{apiVersion: example.dev/v1, kind: Gadget}")},
		}, "x.yaml")
		if want == "" {
			assert.NoError(t, err, when)
			continue
		}
		assert.ErrorContains(t, err, want, when)
	}
}
