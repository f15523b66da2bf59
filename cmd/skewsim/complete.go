package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/catalogue"
)

// completeScenario offers the scenarios of the catalogue and their mutants to shells, which
// complete files by themselves.
func completeScenario(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	entries, err := load.Catalogue()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return catalogue.Names(entries), cobra.ShellCompDirectiveDefault
}

// completePairs lets shells complete the pairs, releases and words of a command. It starts and
// builds nothing.
func completePairs(c *cobra.Command) {
	words := func(words ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	releases := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		_, releases := knownPairs()
		return releases, cobra.ShellCompDirectiveDefault // path:FILE
	}
	servers := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return kubernetesReleases("kube-apiserver@"), cobra.ShellCompDirectiveDefault
	}
	versions := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return kubernetesReleases(""), cobra.ShellCompDirectiveNoFileComp
	}
	byFlag := map[string]cobra.CompletionFunc{
		"pair": completePair, "old": releases, "new": releases, "release": releases,
		"server": servers,
		"aa":     words("old", "new"), "impacts": words("fail", "allow"),
		"old-gate-stage": words("alpha", "beta"), "new-gate-stage": words("alpha", "beta"),
	}
	switch c.Name() { // a flag of several commands, with other values
	case "sweep":
		byFlag["fail-on"] = words(append(outcomes(), "none")...)
	case "preflight":
		byFlag["fail-on"], byFlag["from"], byFlag["to"] = words("up", "back", "any"), versions, versions
	case "matrix":
		byFlag["format"] = words("text", "json", "github")
	case "diff":
		byFlag["output"] = words("text", "json", "markdown")
	case "lint", "version":
		byFlag["output"] = words("text", "json")
	case "list":
		byFlag["output"] = words("table", "name", "json")
	}
	if strings.Contains(c.Use, " PAIR") || strings.Contains(c.Use, " OLD..NEW") {
		c.ValidArgsFunction = completePair
	}
	for flag, complete := range byFlag {
		if c.Flags().Lookup(flag) != nil {
			completeFlag(c, flag, complete)
		}
	}
}

// completePair offers known pairs to shells.
func completePair(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	pairs, _ := knownPairs()
	return pairs, cobra.ShellCompDirectiveDefault // crd:FOLDER
}

// kubernetesReleases returns the known releases of kube-apiserver, each behind a prefix.
func kubernetesReleases(prefix string) (named []string) {
	_, releases := knownPairs()
	for _, release := range releases {
		if version, is := strings.CutPrefix(release, "kube-apiserver@"); is {
			named = append(named, prefix+version)
		}
	}
	return named
}

// knownPairs returns the pairs of the catalogue and those of cached builds that a scenario applies
// to, and the releases of both.
func knownPairs() (pairs, releases []string) {
	entries, err := load.Catalogue()
	if err != nil {
		return nil, nil
	}
	built, _ := builder.CachedReleases() // without a cache there are the catalogue's
	ofPairs, ofReleases := map[string]bool{}, map[string]bool{}
	for _, s := range catalogue.Scenarios(nil, entries, built) {
		for _, pair := range append([]string{s.Pair}, s.Built...) {
			of, versions, found := strings.Cut(pair, "@")
			if !found {
				of, versions = s.Of, pair
			}
			if old, new, is := strings.Cut(versions, ".."); is && !strings.Contains(pair, ":") { // not the catalogue's own files
				ofPairs[of+"@"+versions] = true
				ofReleases[of+"@"+old], ofReleases[of+"@"+new] = true, true
			}
		}
	}
	return slices.Sorted(maps.Keys(ofPairs)), slices.Sorted(maps.Keys(ofReleases))
}
