package catalogue

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// sharing returns, by scenario, all scenarios on its journey when the whole catalogue runs
// with the pairs that the files name.
func sharing(entries []load.Entry) map[string][]string {
	on := map[string][]string{}
	for _, e := range entries {
		if text, shares := ownJourney(e.Scenario); shares {
			on[text] = append(on[text], e.Path())
		}
	}
	all := map[string][]string{}
	for _, names := range on {
		for _, name := range names {
			all[name] = names
		}
	}
	return all
}

// ownJourney returns the journey of a scenario that runs with its own pair.
func ownJourney(s *scenarios.Scenario) (string, bool) {
	if s.Releases.Pair == "" || len(s.Releases.Through) > 0 {
		return "", false
	}
	_, old, new, err := engine.Request{Scenario: s}.Releases()
	if err != nil {
		return "", false // a run reports the error
	}
	return campaign.JourneyOf(s, []servers.Reference{old, new})
}
