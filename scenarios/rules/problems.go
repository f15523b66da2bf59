package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/load"
)

// Problems compares the rules with the catalogue and the existing tests, and returns what is
// wrong: rules without evidence, unknown names, mutants without their scenario, and mutants
// that no rule names.
func Problems(documents []Document, catalogue []load.Entry, tests Tests) []string {
	k := known{scenarios: map[string]bool{}, mutants: map[string]bool{}, tests: tests}
	for _, e := range catalogue {
		k.scenarios[e.Name] = true
		for _, mutant := range e.Scenario.MutantNames() {
			k.mutants[e.Name+"+"+mutant] = true
		}
	}
	var problems []string
	named := map[string]bool{}
	for _, d := range documents {
		for _, s := range d.Sections {
			for _, r := range s.Rules {
				for _, why := range k.judge(r) {
					problems = append(problems, fmt.Sprintf("%s.yaml: %s: %s: %s", d.Name, s.Name, r.Obliges, why))
				}
				for _, mutant := range r.Mutants {
					named[mutant] = true
				}
			}
		}
	}
	for _, e := range catalogue {
		for _, mutant := range e.Scenario.MutantNames() {
			if name := e.Name + "+" + mutant; !named[name] {
				problems = append(problems, name+": no rule names this mutant: name it under the rule that it breaks")
			}
		}
	}
	return problems
}

// known is what a rule may name.
type known struct {
	scenarios, mutants map[string]bool
	tests              Tests
}

func (k known) judge(r Rule) (problems []string) {
	if len(r.Scenarios)+len(r.Tests) == 0 && r.Reason == "" {
		problems = append(problems, "neither a scenario nor a test: give one, or a reason")
	}
	if len(r.Scenarios) > 0 && len(r.Mutants) == 0 && r.Reason == "" {
		problems = append(problems, "no mutant: give one, or a reason")
	}
	if len(r.Says) == 0 {
		problems = append(problems, "quotes nothing: give a few words of the sentence that it is taken from")
	}
	for _, name := range r.Scenarios {
		if !k.scenarios[name] {
			problems = append(problems, fmt.Sprintf("scenario %q: not in the catalogue; skewsim list shows it", name))
		}
	}
	for _, name := range r.Mutants {
		if !k.mutants[name] {
			problems = append(problems, fmt.Sprintf("mutant %q: not in the catalogue; skewsim list --mutants shows it", name))
			continue
		}
		if of, _, _ := strings.Cut(name, "+"); !slices.Contains(r.Scenarios, of) {
			problems = append(problems, fmt.Sprintf("mutant %q: its scenario %s is not among the rule's: name it, because it keeps the rule", name, of))
		}
	}
	for _, name := range r.Tests {
		switch files := k.tests.files(name); len(files) {
		case 0:
			problems = append(problems, fmt.Sprintf("test %q: no package has it; tests are named package.TestName", name))
		case 1:
		default:
			problems = append(problems, fmt.Sprintf("test %q: several packages have it (%s): say more of its folder, as in frobber/apiserver.TestName",
				name, strings.Join(files, ", ")))
		}
	}
	return problems
}

// Misplaced returns the scenarios of the catalogue that are not under exactly one topic, and
// the unknown names in topics.
func Misplaced(topics []Topic, catalogue []load.Entry) (problems []string) {
	under := map[string][]string{}
	for _, t := range topics {
		for _, name := range t.Scenarios {
			under[name] = append(under[name], t.Name)
			if !slices.ContainsFunc(catalogue, func(e load.Entry) bool { return e.Name == name }) {
				problems = append(problems, fmt.Sprintf("topics.yaml: %s: %q: not in the catalogue", t.Name, name))
			}
		}
	}
	for _, e := range catalogue {
		if n := len(under[e.Name]); n != 1 {
			problems = append(problems, fmt.Sprintf("topics.yaml: %s: is under %d topics [%s] instead of one", e.Name, n, strings.Join(under[e.Name], ", ")))
		}
	}
	return problems
}
