package tiers

import (
	_ "embed"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios/load"
)

//go:embed tiers.yaml
var text []byte

// Plan is what one tier plays, by full names such as frobber/add-field.
type Plan struct {
	// Scenarios are played on correct releases, and must pass.
	Scenarios []string `json:"scenarios,omitempty"`
	// Mutants are played on releases with a mistake: frobber/add-field+required.
	Mutants []string `json:"mutants,omitempty"`
	// Old and New are played as A/A runs of the old and of the new release.
	Old []string `json:"aaOld,omitempty"`
	New []string `json:"aaNew,omitempty"`
	// Pairs are pairs of kube-apiserver, newest first. The Kubernetes tier plays the
	// first that is available, the nightly all that are.
	Pairs []string `json:"pairs,omitempty"`
}

// table reads tiers.yaml strictly, without expanding its patterns.
func table() (map[Tier]Plan, error) {
	all := map[Tier]Plan{}
	if err := yaml.UnmarshalStrict(text, &all); err != nil {
		return nil, fmt.Errorf("tiers.yaml: %w", err)
	}
	return all, nil
}

// Plays returns what a tier plays, with patterns expanded to names. An unknown name fails the
// test. For the nightly tier SHARD=2/3 in the environment selects every third name, from the
// second on, and all pairs.
func Plays(t testing.TB, tier Tier) Plan {
	t.Helper()
	p, err := plays(tier)
	if err != nil {
		t.Fatal(err)
	}
	if tier != Nightly {
		return p
	}
	for _, names := range []*[]string{&p.Scenarios, &p.Mutants, &p.Old, &p.New} {
		*names = Shard(t, *names)
	}
	return p
}

func plays(tier Tier) (Plan, error) {
	all, err := table()
	if err != nil {
		return Plan{}, err
	}
	p := all[tier]
	for _, names := range []*[]string{&p.Scenarios, &p.Mutants, &p.Old, &p.New} {
		if *names, err = matching(*names); err != nil {
			return Plan{}, fmt.Errorf("tiers.yaml: %s: %w", tier, err)
		}
	}
	return p, nil
}

// catalogue returns the names of all scenarios and of all mutants. It reads them once: parsing
// the catalogue takes longer than many tests.
var catalogue = sync.OnceValues(func() (names []string, err error) {
	entries, err := load.Catalogue()
	for _, e := range entries {
		names = append(names, e.Path())
		for _, mutant := range e.Scenario.MutantNames() {
			names = append(names, e.Path()+"+"+mutant)
		}
	}
	return names, err
})

// matching expands patterns to the catalogue's names, each once. A pattern with a plus sign
// matches mutants, as for `skewsim run`.
func matching(patterns []string) (names []string, err error) {
	all, err := catalogue()
	if err != nil {
		return nil, err
	}
	for _, pattern := range patterns {
		some := false
		for _, name := range all {
			is, err := path.Match(pattern, name)
			if err != nil {
				return nil, fmt.Errorf("pattern %q: %w", pattern, err)
			}
			if !is || strings.Contains(name, "+") != strings.Contains(pattern, "+") {
				continue
			}
			some = true
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if !some {
			return nil, fmt.Errorf("%q matches nothing of the catalogue", pattern)
		}
	}
	return names, nil
}

// ShardVariable is the environment variable that splits the nightly tests: 2/3 is the
// second of three parts. Unset, all is played.
const ShardVariable = "SHARD"

// Shard returns the part of the names that SHARD leaves: name number i, from 0, is in part
// i mod n + 1.
func Shard[T any](t testing.TB, names []T) []T {
	t.Helper()
	part, err := shard(os.Getenv(ShardVariable), names)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// Split reports whether SHARD splits the nightly, so that a part may be empty.
func Split() bool { return os.Getenv(ShardVariable) != "" }

// NeedFirst skips a test of the nightly that has no names to split, unless SHARD selects the
// first part.
func NeedFirst(t testing.TB) {
	t.Helper()
	if len(Shard(t, []string{t.Name()})) == 0 {
		t.Skipf("%s=%s: the first part runs this", ShardVariable, os.Getenv(ShardVariable))
	}
}

func shard[T any](variable string, names []T) (part []T, err error) {
	if variable == "" {
		return names, nil
	}
	first, second, found := strings.Cut(variable, "/")
	i, errFirst := strconv.Atoi(first)
	n, errSecond := strconv.Atoi(second)
	if !found || errFirst != nil || errSecond != nil || i < 1 || i > n {
		return nil, fmt.Errorf("%s=%q: want a part such as 2/3", ShardVariable, variable)
	}
	for at := i - 1; at < len(names); at += n {
		part = append(part, names[at])
	}
	return part, nil
}
