package pairing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
)

func release(component, version string) Release {
	return Release{Reference: component + "@" + version, Component: component, Version: version}
}

func pairOf(component, old, new string) Pair {
	return Pair{release(component, old), release(component, new)}
}

func scenario(name, old, new string) *scenarios.Scenario {
	return &scenarios.Scenario{Name: name, Releases: scenarios.Releases{Of: "server", Old: old, New: new}}
}

// TestAgainst: each reason, and a similar cell that is played.
func TestAgainst(t *testing.T) {
	plain, bounded := scenario("plain", "", ""), scenario("bounded", "< 1.2", ">= 1.2")
	chain, mutantOfChain := scenario("chain", "", ""), scenario("chain", "", "")
	chain.Releases.Through = scenarios.Through{{Release: "server@1.0..1.3"}}
	mutantOfChain.Releases.Through, mutantOfChain.Mutant = chain.Releases.Through, "wrong"
	unknown := Pair{Release{Reference: "path:a"}, Release{Reference: "path:b"}}
	for name, c := range map[string]struct {
		s    *scenarios.Scenario
		pair Pair
		skew int
		want Kind // "": it is played
	}{
		"chain":                  {chain, pairOf("server", "1.1", "1.2"), 0, Chain},
		"mutant of a chain":      {mutantOfChain, pairOf("server", "1.1", "1.2"), 0, ""},
		"another component":      {plain, pairOf("other", "1.1", "1.2"), 0, Component},
		"two components":         {plain, Pair{release("server", "1.1"), release("other", "1.2")}, 0, Component},
		"its component":          {plain, pairOf("server", "1.1", "1.2"), 0, ""},
		"only the build tells":   {bounded, unknown, 1, ""},
		"wrong order":            {plain, pairOf("server", "1.2", "1.1"), 0, Order},
		"any patch of one minor": {plain, pairOf("server", "1.2.1", "1.2"), 1, ""},
		"of the minor before":    {plain, pairOf("server", "1.2.1", "1.1"), 1, Order},
		"a release and itself":   {plain, pairOf("server", "1.2", "1.2"), 1, ""},
		"further than asked for": {plain, pairOf("server", "1.1", "1.3"), 1, Apart},
		"as far as asked for":    {plain, pairOf("server", "1.1", "1.3"), 2, ""},
		"any distance":           {plain, pairOf("server", "1.1", "1.9"), 0, ""},
		"next major":             {plain, pairOf("server", "1.9", "2.0"), 9, Apart},
		"old is too new":         {bounded, pairOf("server", "1.2", "1.3"), 0, Old},
		"new is too old":         {bounded, pairOf("server", "1.0", "1.1"), 0, New},
		"both are met":           {bounded, pairOf("server", "1.1", "1.2"), 0, ""},
		"met by a prerelease":    {bounded, pairOf("server", "1.1", "1.2.0-rc.1"), 0, ""},
	} {
		why, err := Against(c.s, c.pair, c.skew)
		require.NoError(t, err, name)
		if c.want == "" {
			assert.Nil(t, why, name)
			continue
		}
		if assert.NotNil(t, why, name) {
			assert.Equal(t, c.want, why.Kind, name)
			assert.NotEmpty(t, why.Text, name)
		}
	}
	_, err := Against(scenario("s", "< one", ""), pairOf("server", "1.1", "1.2"), 0)
	assert.ErrorContains(t, err, `releases.old: constraint "< one"`)
}

// TestOffered: where no pair is named, a scenario has those as far apart as its own.
func TestOffered(t *testing.T) {
	all := Among([]Release{release("server", "1.2"), release("server", "1.0"), release("server", "1.1"), release("server", "1.1.4"), release("other", "1.1")})
	for own, want := range map[string][]string{
		"server@1.0..1.1": {"server@1.0..1.1", "server@1.0..1.1.4", "server@1.1..1.2", "server@1.1.4..1.2"},
		"":                {"server@1.0..1.1", "server@1.0..1.1.4", "server@1.1..1.2", "server@1.1.4..1.2"},
		"server@1.5..1.5": {"server@1.0..1.0", "server@1.1..1.1", "server@1.1.4..1.1.4", "server@1.2..1.2"},
		"server@1.5..1.7": {"server@1.0..1.2"},
		"server@1.5..1.9": nil,
	} {
		s := scenario("s", "", "")
		s.Releases.Pair = own
		var got []string
		for _, p := range Offered(s, all) {
			got = append(got, p.String())
		}
		assert.Equal(t, want, got, own)
	}
}
