package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/fate"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

// Summarize completes a result from its rows: totals, laps, and the answer in one sentence.
func Summarize(r Result, laps []Lap) Result {
	r.SchemaVersion = SchemaVersion
	r.Totals = totals(r.Rows)
	for _, lap := range laps {
		r.Laps = append(r.Laps, summaries(lap)...)
	}
	r.Answer = answer(r)
	return r
}

// totals count rows.
func totals(rows []Row) Totals {
	t := Totals{Default: map[term.Fate]int{}, Gates: map[term.Fate]int{}}
	for _, r := range rows {
		for _, o := range r.Laps {
			switch o.Lap {
			case term.DefaultLap:
				t.Default[o.Verdict]++
			case term.GatesLap:
				t.Gates[o.Verdict]++
			}
		}
		if !r.isPublished() {
			continue
		}
		t.Differences++
		if r.Playable {
			t.Playable++
		}
		if slices.ContainsFunc(r.Laps, func(o Outcome) bool { return o.WasPlayed }) {
			t.Played++
		}
		if r.Exercised {
			t.Exercised++
		}
		if r.Difference.Difference == term.FieldAdded && r.Playable {
			t.AddedFields.Of++
			if r.Exercised {
				t.AddedFields.Exercised++
			}
		}
	}
	return t
}

// isPublished reports whether the releases publish the difference of a row: others, only servers
// show.
func (r Row) isPublished() bool {
	return r.Difference.Difference != term.BehaviourChanged && r.Name != Unstated
}

// summaries are those of a lap's runs.
func summaries(lap Lap) (all []LapSummary) {
	for _, e := range lap.Evidence {
		objects := map[string]bool{}
		for _, c := range e.Copies {
			if c.isWritten() {
				objects[ObjectOf(c.object)] = true
			}
		}
		all = append(all, LapSummary{
			Lap: lap.Lap, Gates: lap.Settings.New.FeatureGates, Run: e.Run, Verdict: e.Verdict, Objects: len(objects), Copies: len(e.Copies), Seconds: e.Seconds, Skipped: e.Skipped,
		})
	}
	return all
}

// answer says in one sentence what a cluster at default settings can lose.
func answer(r Result) string {
	byFate, exercised := map[term.Fate][]string{}, 0
	var broken, uninstalled []string
	for _, row := range r.Rows {
		i := slices.IndexFunc(row.Laps, func(o Outcome) bool { return o.Lap == term.DefaultLap })
		if i < 0 {
			continue
		}
		o := row.Laps[i]
		if o.Exercised && row.isPublished() {
			exercised++
		}
		if o.Uninstalled() {
			uninstalled = append(uninstalled, nameOf(row))
		}
		switch {
		case slices.Contains(fate.Harmful(), o.Verdict):
			byFate[o.Verdict] = append(byFate[o.Verdict], nameOf(row))
		case o.Broken > 0 && !o.Uninstalled():
			broken = append(broken, nameOf(row))
		}
	}
	var parts []string
	for _, of := range fate.Harmful() {
		if names := byFate[of]; len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(names), fate.HarmWords()[of], identity.FirstOf(names)))
		}
	}
	if len(uninstalled) > 0 {
		parts = append([]string{fmt.Sprintf("%d whose definition servers refuse to install (%s)", len(uninstalled), identity.FirstOf(uninstalled))}, parts...)
	}
	if len(broken) > 0 {
		parts = append(parts, fmt.Sprintf("%d that lose nothing stored, and are refused or dropped against a rule (%s)", len(broken), identity.FirstOf(broken)))
	}
	if r.Totals.Differences == 0 {
		return withoutDifference(r, parts)
	}
	of := fmt.Sprintf("%d of %s", exercised, term.Numbered(r.Totals.Differences, "difference"))
	switch {
	case len(parts) > 0 && exercised == 0:
		return fmt.Sprintf("At default settings no object exercised any of %s. Servers show: %s.", term.Numbered(r.Totals.Differences, "difference"), strings.Join(parts, "; "))
	case len(parts) > 0:
		return fmt.Sprintf("At default settings, of %s that were exercised: %s.", of, strings.Join(parts, "; "))
	case exercised == 0:
		return fmt.Sprintf("At default settings no object exercised any of %s: nothing is known of them.", term.Numbered(r.Totals.Differences, "difference"))
	}
	return fmt.Sprintf("At default settings nothing that was exercised, %s, was lost, frozen, undecodable or read as something else.", of)
}

// withoutDifference is the answer for releases that publish the same.
func withoutDifference(r Result, parts []string) string {
	objects := 0
	for _, l := range r.Laps {
		if l.Lap == term.DefaultLap {
			objects += l.Objects
		}
	}
	of := fmt.Sprintf("There is no published difference, and %s of the kinds that both releases serve", term.Numbered(objects, "object"))
	switch {
	case len(parts) > 0:
		return fmt.Sprintf("%s show at default settings: %s.", of, strings.Join(parts, "; "))
	case objects == 0:
		return "There is no published difference, and no object was played: nothing is known of what the releases do."
	}
	return fmt.Sprintf("%s were neither lost, frozen, undecodable nor read as something else at default settings.", of)
}

// nameOf names a row for readers.
func nameOf(r Row) string {
	switch {
	case r.Kind != "" && r.Path != "":
		name := r.Kind + " " + r.Path
		if (r.Difference.Difference == term.EnumValueAdded || r.Difference.Difference == term.EnumValueRemoved) && r.Name != "" {
			name += " " + r.Name
		}
		return name
	case r.Kind != "":
		return strings.Join(identity.WithoutEmpty([]string{r.Kind, identity.GroupVersion(r.Group, r.Version)}), " in ")
	}
	return r.Name
}

// What is the row's difference in words.
func (r Row) What() string {
	return strings.Join(identity.WithoutEmpty([]string{string(r.Difference.Difference), nameOf(r)}), " ")
}
