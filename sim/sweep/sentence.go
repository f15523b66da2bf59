package sweep

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Counts are what the answer is made of: rows at default settings, by their names for readers.
type Counts struct {
	// Differences are all that the releases publish, Exercised those that objects exercised.
	Differences, Exercised int
	// Objects are those that were played.
	Objects int
	// Harmed are the rows that lost something, by verdict; Shown are those of what no release publishes.
	Harmed, Shown map[term.Effect][]string
	// PreExisting are rows of what the old release alone does too.
	PreExisting []string
	// WithGates are how many rows objects exercised with the gates and APIs of both releases on, and GatesHarmed
	// those that lost something then.
	WithGates   int
	GatesHarmed map[term.Effect][]string
	// DroppedAtDefault reports that servers at default settings took what the rows need and dropped it, OffAtDefault
	// that a gate which is off by default guards them.
	DroppedAtDefault, OffAtDefault bool
	// Uninstalled are rows whose definition servers refuse, Broken those that break a rule and lose
	// nothing.
	Uninstalled, Broken []string
}

// Sentence says what a cluster at default settings can lose.
func (c Counts) Sentence() string {
	if len(c.PreExisting) == 0 {
		return c.ofChanges()
	}
	return fmt.Sprintf("%s The old release alone does %s too: %s.", c.ofChanges(), word(len(c.PreExisting), "this", "these"), FirstOf(c.PreExisting))
}

// ofChanges says what begins with the new release.
func (c Counts) ofChanges() string {
	parts := c.parts()
	all := term.Numbered(c.Differences, "difference")
	switch {
	case c.Differences == 0:
		return c.withoutDifference(parts)
	case len(parts) > 0 && c.Exercised == 0:
		return fmt.Sprintf("At default settings no object exercised %s. Servers show: %s.", word(c.Differences, "the ", "any of ")+all, strings.Join(parts, "; "))
	case len(parts) > 0:
		return fmt.Sprintf("At default settings, of %d of %s that %s exercised: %s.", c.Exercised, all, word(c.Exercised, "was", "were"), strings.Join(parts, "; "))
	case c.Exercised == 0 && c.WithGates > 0:
		return c.withGates(all)
	case c.Exercised == 0:
		return fmt.Sprintf("At default settings no object exercised %s: nothing is known of %s.", word(c.Differences, "the ", "any of ")+all, word(c.Differences, "it", "them"))
	}
	return fmt.Sprintf("At default settings nothing that was exercised, %d of %s, was lost, frozen, undecodable or read as something else.", c.Exercised, all)
}

// withGates is the answer for differences that default settings do not allow, such as alpha fields.
func (c Counts) withGates(all string) string {
	happened := strings.Join(harms(c.GatesHarmed, ""), "; ")
	if happened == "" {
		happened = "none was lost, frozen, undecodable or read as something else"
	}
	atDefault := "no object exercised " + word(c.Differences, "it", "them")
	switch {
	case c.DroppedAtDefault:
		atDefault = word(c.WithGates, "it is", "they are") + " dropped as sent"
	case c.OffAtDefault:
		atDefault = "the gates are off, and " + atDefault
	}
	return fmt.Sprintf("With the gates and APIs of both releases on, of %d of %s that %s exercised: %s. At default settings %s.",
		c.WithGates, all, word(c.WithGates, "was", "were"), happened, atDefault)
}

// parts say what was harmed, the worst first.
func (c Counts) parts() (parts []string) {
	if len(c.Uninstalled) > 0 {
		parts = append(parts, fmt.Sprintf("%d whose definition servers refuse to install (%s)", len(c.Uninstalled), FirstOf(c.Uninstalled)))
	}
	parts = append(parts, harms(c.Harmed, "")...)
	if len(c.Broken) > 0 {
		what := term.Counted(len(c.Broken), "that loses nothing stored, and breaks a rule", "that lose nothing stored, and break a rule")
		parts = append(parts, fmt.Sprintf("%s (%s)", what, FirstOf(c.Broken)))
	}
	beside := "where no difference is published, "
	if c.Differences == 0 {
		beside = ""
	}
	return append(parts, harms(c.Shown, beside)...)
}

// harms say what was harmed, in the order of what it costs; each begins with the same words.
func harms(rows map[term.Effect][]string, begin string) (parts []string) {
	for _, of := range Harmful() {
		if names := rows[of]; len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%s%d %s (%s)", begin, len(names), HarmWords()[of], FirstOf(names)))
		}
	}
	return parts
}

// withoutDifference is the answer for releases that publish the same.
func (c Counts) withoutDifference(parts []string) string {
	of := fmt.Sprintf("There is no published difference, and %s of the kinds that both releases serve", term.Numbered(c.Objects, "object"))
	switch {
	case len(parts) > 0:
		return fmt.Sprintf("%s %s at default settings: %s.", of, word(c.Objects, "shows", "show"), strings.Join(parts, "; "))
	case c.Objects == 0:
		return "There is no published difference, and no object was played: nothing is known of what the releases do."
	}
	return fmt.Sprintf("%s %s neither lost, frozen, undecodable nor read as something else at default settings.", of, word(c.Objects, "was", "were"))
}

// word returns the word for one, or the word for any other number.
func word(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
