package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/load"
)

const preface = `# The rules of "Changing the API", and what tests each

After reading this page you know which scenario tests a rule of Kubernetes' guide, which
mutant breaks it, and which check catches the mutant.

The rules are in our words. Some rules have Go tests instead, where a scenario cannot show
them. The early form of the guide, KEP-2558 and the proposal for alpha fields follow, with
their own rules. This page is generated from [scenarios/rules](../../scenarios/rules) and
from the mutants of the scenarios.
`

// Markdown returns docs/explanation/rules.md. Tests are their files in the repository, by package.TestName.
// Everything that a rule names must exist: see Problems.
func Markdown(documents []Document, catalogue []load.Entry, tests Tests) string {
	entries := map[string]load.Entry{}
	for _, e := range catalogue {
		entries[e.Name] = e
	}
	var b strings.Builder
	b.WriteString(preface)
	b.WriteString("\n" + tally(documents, catalogue) + "\n")
	for _, d := range documents {
		fmt.Fprintf(&b, "\n## %s\n", d.Title)
		for _, s := range d.Sections {
			if len(s.Rules) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n%s\n\n| rule | scenarios | mutants, and what catches them | tests; why not more |\n| --- | --- | --- | --- |\n", place(d, s))
			for _, r := range s.Rules {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(r.Obliges), scenarioLinks(r, entries), mutantsOf(r, entries), restOf(r, tests))
			}
		}
	}
	return b.String()
}

// tally counts the rules and the mutants.
func tally(documents []Document, catalogue []load.Entry) string {
	rules, played, tested, neither, mutants := 0, 0, 0, 0, 0
	for _, d := range documents {
		for _, s := range d.Sections {
			for _, r := range s.Rules {
				rules++
				switch {
				case len(r.Scenarios) > 0:
					played++
				case len(r.Tests) > 0:
					tested++
				default:
					neither++
				}
			}
		}
	}
	for _, e := range catalogue {
		mutants += len(e.Scenario.Mutants)
	}
	return fmt.Sprintf("%d rules: %d are played by scenarios, %d have only a test, and for %d the table says why they have neither. %d mutants.",
		rules, played, tested, neither, mutants)
}

// place returns the heading of a section as a link.
func place(d Document, s Section) string {
	if s.Name == "" {
		return fmt.Sprintf("### [Before the first heading](%s)", d.URL)
	}
	return fmt.Sprintf("### [%s](%s#%s)", s.Name, d.URL, slug(s.Name))
}

var notInSlug = regexp.MustCompile(`[^a-z0-9 -]`)

// slug returns the anchor that GitHub gives a heading.
func slug(heading string) string {
	return strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

func scenarioLinks(r Rule, entries map[string]load.Entry) string {
	var all []string
	for _, name := range r.Scenarios {
		all = append(all, fmt.Sprintf("[%s](../../scenarios/%s.yaml)", name, entries[name].Path()))
	}
	return strings.Join(all, ", ")
}

func mutantsOf(r Rule, entries map[string]load.Entry) string {
	var all []string
	for _, full := range r.Mutants {
		name, mutant, _ := strings.Cut(full, "+")
		if s := entries[name].Scenario; s != nil {
			check := string(s.Mutants[mutant].Caught.Check)
			all = append(all, fmt.Sprintf("`%s`: [%s](../reference/checks.md#%s)", full, check, check))
		}
	}
	return strings.Join(all, "<br>")
}

func restOf(r Rule, tests Tests) string {
	var all []string
	for _, name := range r.Tests {
		for _, file := range tests.files(name) {
			all = append(all, fmt.Sprintf("[%s](../../%s)", name, file))
		}
	}
	if r.Reason != "" {
		all = append(all, cell(r.Reason))
	}
	return strings.Join(all, "<br>")
}

// cell escapes text for a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
