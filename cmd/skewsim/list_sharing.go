package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// sharing is, for each scenario that would share a journey with others were all of
// the catalogue played, with the pairs they name themselves, who is on that journey.
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

// ownJourney is the journey that a scenario has when nothing is asked for.
func ownJourney(s *scenarios.Scenario) (string, bool) {
	if s.Releases.Pair == "" || len(s.Releases.Through) > 0 {
		return "", false
	}
	_, old, new, err := engine.Request{Scenario: s}.Releases()
	if err != nil {
		return "", false // who plays it is told why
	}
	return campaign.JourneyOf(s, []servers.Reference{old, new})
}

// printSharing prints who shares a journey, once each.
func printSharing(w io.Writer, all []listed) error {
	var told []string
	for _, l := range all {
		if len(l.Shares) == 0 || slices.Contains(told, l.Name) {
			continue
		}
		if told == nil {
			fmt.Fprintln(w, "\nOn one journey when they are played together (skewsim run A B)")
		}
		names := append([]string{l.Name}, l.Shares...)
		told = append(told, names...)
		if _, err := fmt.Fprintf(w, "  %s: %s\n", l.Pair, strings.Join(names, ", ")); err != nil {
			return err
		}
	}
	return nil
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other == name })
}
