package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/rules"
)

// Scenario is one scenario as skewsim list -o json shows it.
type Scenario struct {
	Name string `json:"name"`
	// Topic is the part of the guide that it covers.
	Topic string `json:"topic"`
	Of    string `json:"of"`
	Old   string `json:"old"`
	New   string `json:"new"`
	Pair  string `json:"pair"`
	// Through are the releases of the chain that it runs instead of a pair.
	Through string `json:"through,omitempty"`
	// Applies are Old and New in words, Built the pairs of cached releases that meet them.
	Applies string   `json:"applies"`
	Built   []string `json:"built,omitempty"`
	// Shares are the scenarios on its journey when they are run with it.
	Shares []string `json:"shares,omitempty"`
	About  string   `json:"about"`
	// Mutants are the names of the scenario's mutants.
	Mutants []string `json:"twins,omitempty"`
}

// Mutant is one mutant as skewsim list -o json shows it.
type Mutant struct {
	Name string `json:"name"`
	// Pair is the pair of which one release has the mistake: Wrong, old or new.
	Pair  string `json:"pair"`
	Wrong string `json:"wrong"`
	// Check is the check that catches the mutant.
	Check string `json:"check"`
	About string `json:"about"`
}

// Scenarios returns the entries in the order of the topics. built are the releases in the
// cache of builds, by component.
func Scenarios(topics []rules.Topic, entries []load.Entry, built map[string][]*version.Version) (all []Scenario) {
	shares := sharing(entries)
	for _, e := range byTopic(topics, entries) {
		r := e.Scenario.Releases
		all = append(all, Scenario{
			Name: e.Path(), Topic: rules.TopicOf(topics, e.Name), Of: r.Of, Old: cmp.Or(r.Old, "any"), New: cmp.Or(r.New, "any"),
			Pair: r.Pair, Through: r.Through.String(), Applies: appliesTo(r), Built: builtPairs(e.Scenario, built),
			Shares: without(shares[e.Path()], e.Path()), About: oneLine(e.Scenario.About), Mutants: e.Scenario.MutantNames(),
		})
	}
	return all
}

// byTopic returns the entries in the order of the topics, then those without a topic.
func byTopic(topics []rules.Topic, entries []load.Entry) (all []load.Entry) {
	byName := map[string]load.Entry{}
	for _, e := range entries {
		byName[e.Name] = e
	}
	for _, t := range topics {
		for _, name := range t.Scenarios {
			if e, ok := byName[name]; ok {
				all = append(all, e)
			}
		}
	}
	for _, e := range entries {
		if rules.TopicOf(topics, e.Name) == "" {
			all = append(all, e)
		}
	}
	return all
}

// Mutants returns the mutants of all entries.
func Mutants(entries []load.Entry) (all []Mutant) {
	for _, e := range entries {
		for _, name := range e.Scenario.MutantNames() {
			m := e.Scenario.Mutants[name]
			all = append(all, Mutant{e.Path() + "+" + name, e.Scenario.Releases.Pair, cmp.Or(string(m.Of), "new"), string(m.Caught.Check), oneLine(m.About)})
		}
	}
	return all
}

// Names returns the names that a user can give: of each scenario, and of each with a mutant.
func Names(entries []load.Entry) (names []string) {
	for _, e := range entries {
		names = append(names, e.Name)
		for _, mutant := range e.Scenario.MutantNames() {
			names = append(names, e.Name+"+"+mutant)
		}
	}
	return names
}

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other == name })
}
