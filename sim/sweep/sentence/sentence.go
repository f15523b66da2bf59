package sentence

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/fate"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

// Counts are what the answer is made of: rows at default settings, by their names for readers.
type Counts struct {
	// Differences are all that the releases publish, Exercised those that objects exercised.
	Differences, Exercised int
	// Objects are those that were played.
	Objects int
	// Harmed are the rows that lost something, by verdict.
	Harmed map[term.Fate][]string
	// Uninstalled are rows whose definition servers refuse, Broken those that break a rule and lose
	// nothing.
	Uninstalled, Broken []string
}

// Sentence says what a cluster at default settings can lose.
func (c Counts) Sentence() string {
	parts := c.parts()
	all := term.Numbered(c.Differences, "difference")
	switch {
	case c.Differences == 0:
		return c.withoutDifference(parts)
	case len(parts) > 0 && c.Exercised == 0:
		return fmt.Sprintf("At default settings no object exercised any of %s. Servers show: %s.", all, strings.Join(parts, "; "))
	case len(parts) > 0:
		return fmt.Sprintf("At default settings, of %d of %s that were exercised: %s.", c.Exercised, all, strings.Join(parts, "; "))
	case c.Exercised == 0:
		return fmt.Sprintf("At default settings no object exercised any of %s: nothing is known of them.", all)
	}
	return fmt.Sprintf("At default settings nothing that was exercised, %d of %s, was lost, frozen, undecodable or read as something else.", c.Exercised, all)
}

// parts say what was harmed, the worst first.
func (c Counts) parts() (parts []string) {
	if len(c.Uninstalled) > 0 {
		parts = append(parts, fmt.Sprintf("%d whose definition servers refuse to install (%s)", len(c.Uninstalled), identity.FirstOf(c.Uninstalled)))
	}
	for _, of := range fate.Harmful() {
		if names := c.Harmed[of]; len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(names), fate.HarmWords()[of], identity.FirstOf(names)))
		}
	}
	if len(c.Broken) > 0 {
		parts = append(parts, fmt.Sprintf("%d that lose nothing stored, and are refused or dropped against a rule (%s)", len(c.Broken), identity.FirstOf(c.Broken)))
	}
	return parts
}

// withoutDifference is the answer for releases that publish the same.
func (c Counts) withoutDifference(parts []string) string {
	of := fmt.Sprintf("There is no published difference, and %s of the kinds that both releases serve", term.Numbered(c.Objects, "object"))
	switch {
	case len(parts) > 0:
		return fmt.Sprintf("%s show at default settings: %s.", of, strings.Join(parts, "; "))
	case c.Objects == 0:
		return "There is no published difference, and no object was played: nothing is known of what the releases do."
	}
	return fmt.Sprintf("%s were neither lost, frozen, undecodable nor read as something else at default settings.", of)
}
