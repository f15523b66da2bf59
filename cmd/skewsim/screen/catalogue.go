package screen

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/skewsim/skewsim/sim/catalogue"
)

// Catalogue prints a table of scenarios for each topic, then those that form a shared run.
func Catalogue(w io.Writer, all []catalogue.Scenario) error {
	if err := printTopics(w, all); err != nil {
		return err
	}
	return printSharing(w, all)
}

// printTopics prints a table for each topic.
func printTopics(w io.Writer, all []catalogue.Scenario) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	for i, s := range all {
		if i == 0 || s.Topic != all[i-1].Topic {
			if i > 0 {
				fmt.Fprintln(table)
			}
			fmt.Fprintf(table, "%s\n", cmp.Or(s.Topic, "Other"))
		}
		applies := s.Applies
		if len(s.Built) > 0 {
			applies += "; built: " + strings.Join(s.Built, ", ")
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", s.Name, cmp.Or(s.Through, s.Pair, "any"), cmp.Or(strings.Join(s.Mutants, ","), "none"), applies)
	}
	return table.Flush()
}

// printSharing prints each group of scenarios that form a shared run once.
func printSharing(w io.Writer, all []catalogue.Scenario) error {
	var printed []string
	for _, s := range all {
		if len(s.Shares) == 0 || slices.Contains(printed, s.Name) {
			continue
		}
		if printed == nil {
			fmt.Fprintln(w, "\nShared runs, if the scenarios run together (skewsim run A B)")
		}
		names := append([]string{s.Name}, s.Shares...)
		printed = append(printed, names...)
		if _, err := fmt.Fprintf(w, "  %s: %s\n", s.Pair, strings.Join(names, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// Mutants prints a row for each mutant, in a format of [Rows].
func Mutants(w io.Writer, output string, all []catalogue.Mutant) error {
	header := []string{"NAME", "PAIR", "WRONG", "CAUGHT BY", "ABOUT"}
	return Rows(w, output, all, header, func(m catalogue.Mutant) []string {
		first, _, _ := strings.Cut(m.About, ". ")
		return []string{m.Name, m.Pair, m.Wrong, m.Check, strings.TrimSuffix(first, ".")}
	})
}
