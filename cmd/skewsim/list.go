package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/hashicorp/go-version"
	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/rules"
	"github.com/skewsim/skewsim/servers/builder"
)

// listed is one scenario as list -o json shows it.
type listed struct {
	Name string `json:"name"`
	// Topic is the part of the guide that it plays.
	Topic string `json:"topic"`
	Of    string `json:"of"`
	Old   string `json:"old"`
	New   string `json:"new"`
	Pair  string `json:"pair"`
	// Through are the releases of the chain that it plays in the place of a pair.
	Through string `json:"through,omitempty"`
	// Applies are Old and New in words, Built the pairs of releases in the cache that
	// meet them.
	Applies string   `json:"applies"`
	Built   []string `json:"built,omitempty"`
	// Shares are the scenarios that are on its journey when they are played with it.
	Shares []string `json:"shares,omitempty"`
	About  string   `json:"about"`
	// Twins are the names of the scenario's twins.
	Twins []string `json:"twins,omitempty"`
}

// listedTwin is one twin as list --twins -o json shows it.
type listedTwin struct {
	Name string `json:"name"`
	// Pair is played with the mistake in one of its releases: Wrong, old or new.
	Pair  string `json:"pair"`
	Wrong string `json:"wrong"`
	// Check is the one that catches the twin.
	Check string `json:"check"`
	About string `json:"about"`
}

func newList(a *app) *cobra.Command {
	var output string
	var twins bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios that are built in, by the topics of the guide",
		Long: `list shows the scenarios that are built in, by the topics of the guide, and of each
the pair of releases that it plays when none is named (or, of a chain, all from the
first to the last), the twins it can be played with (skewsim run NAME+TWIN), which
releases it applies to, and which pairs of those that are built: name one with --pair.
Below that it names the scenarios that share one journey when they are played together.
With --twins it shows the twins: which release is wrong, which check catches it, and
what the mistake is.`,
		Example: "  skewsim list\n  skewsim list --twins\n  skewsim list -o name",
		Args:    exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			entries, err := load.Catalogue()
			if err != nil {
				return err
			}
			if twins {
				return printTwins(a.out, output, entries)
			}
			topics, err := rules.Topics()
			if err != nil {
				return err
			}
			built, err := builder.CachedReleases()
			if err != nil {
				return err
			}
			return printScenarios(a.out, output, topics, entries, built)
		},
	}
	outputFlag(c, &output)
	c.Flags().BoolVar(&twins, "twins", false, "list the twins, each with what catches it")
	return c
}

// printScenarios prints the catalogue in the topics' order.
func printScenarios(w io.Writer, output string, topics []rules.Topic, entries []load.Entry, built map[string][]*version.Version) error {
	var all []listed
	shares := sharing(entries)
	for _, e := range byTopic(topics, entries) {
		s := e.Scenario
		all = append(all, listed{e.Path(), rules.TopicOf(topics, e.Name), s.Releases.Of, orAny(s.Releases.Old), orAny(s.Releases.New),
			s.Releases.Pair, s.Releases.Through.String(), appliesTo(s.Releases), builtPairs(s, built), without(shares[e.Path()], e.Path()), oneLine(s.About), s.TwinNames()})
	}
	if output == "table" {
		if err := printTopics(w, all); err != nil {
			return err
		}
		return printSharing(w, all)
	}
	return printAll(w, output, all, nil, func(l listed) []string { return []string{l.Name} })
}

// byTopic gives the entries as the topics name them, and then those that no topic
// names.
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

// printTopics prints a table for each topic.
func printTopics(w io.Writer, all []listed) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	for i, l := range all {
		if i == 0 || l.Topic != all[i-1].Topic {
			if i > 0 {
				fmt.Fprintln(table)
			}
			fmt.Fprintf(table, "%s\n", cmp.Or(l.Topic, "Other"))
		}
		applies := l.Applies
		if len(l.Built) > 0 {
			applies += "; built: " + strings.Join(l.Built, ", ")
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", l.Name, cmp.Or(l.Through, l.Pair, "any"), cmp.Or(strings.Join(l.Twins, ","), "none"), applies)
	}
	return table.Flush()
}

func printTwins(w io.Writer, output string, entries []load.Entry) error {
	var all []listedTwin
	for _, e := range entries {
		for _, name := range e.Scenario.TwinNames() {
			twin := e.Scenario.Twins[name]
			all = append(all, listedTwin{e.Path() + "+" + name, e.Scenario.Releases.Pair, cmp.Or(string(twin.Of), "new"),
				string(twin.Caught.Check), oneLine(twin.About)})
		}
	}
	header := []string{"NAME", "PAIR", "WRONG", "CAUGHT BY", "ABOUT"}
	return printAll(w, output, all, header, func(t listedTwin) []string {
		first, _, _ := strings.Cut(t.About, ". ")
		return []string{t.Name, t.Pair, t.Wrong, t.Check, strings.TrimSuffix(first, ".")}
	})
}

// oneLine is text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
