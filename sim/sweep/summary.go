package sweep

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/fate"
	"github.com/skewsim/skewsim/sim/sweep/identity"
	"github.com/skewsim/skewsim/sim/sweep/sentence"
)

// Summarize completes a result from its rows: totals, laps, and the answer in one sentence.
func Summarize(r Result, laps []Lap) Result {
	r.SchemaVersion = SchemaVersion
	r.Totals = totals(r.Rows)
	for _, lap := range laps {
		r.Laps = append(r.Laps, summaries(lap)...)
	}
	r.Answer = strings.Join(identity.WithoutEmpty([]string{answer(r), ofUnconverted(r)}), " ")
	return r
}

// totals count rows.
func totals(rows []Row) Totals {
	t := Totals{Default: map[term.Fate]int{}, Gates: map[term.Fate]int{}}
	by := map[term.Lap]map[term.Fate]int{term.DefaultLap: t.Default, term.GatesLap: t.Gates}
	for _, r := range rows {
		for _, o := range r.Laps {
			by[o.Lap][o.Verdict]++
		}
		if !r.isPublished() {
			continue
		}
		t.Differences++
		if r.NeedsWebhook {
			t.NeedWebhook++
		}
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
	c := sentence.Counts{Harmed: map[term.Fate][]string{}}
	for _, row := range r.Rows {
		i := slices.IndexFunc(row.Laps, func(o Outcome) bool { return o.Lap == term.DefaultLap })
		if i < 0 {
			continue
		}
		o := row.Laps[i]
		if o.Exercised && row.isPublished() {
			c.Exercised++
		}
		if o.Uninstalled() {
			c.Uninstalled = append(c.Uninstalled, nameOf(row))
		}
		switch {
		case slices.Contains(fate.Harmful(), o.Verdict):
			c.Harmed[o.Verdict] = append(c.Harmed[o.Verdict], nameOf(row))
		case o.Broken > 0 && !o.Uninstalled():
			c.Broken = append(c.Broken, nameOf(row))
		}
	}
	c.Differences = r.Totals.Differences
	for _, l := range r.Laps {
		if l.Lap == term.DefaultLap {
			c.Objects += l.Objects
		}
	}
	return c.Sentence()
}

// nameOf names a row for readers.
func nameOf(r Row) string {
	switch {
	case r.Kind != "" && r.Path != "" && (r.Difference.Difference == term.EnumValueAdded || r.Difference.Difference == term.EnumValueRemoved):
		return strings.Join(identity.WithoutEmpty([]string{r.Kind, r.Path, r.Name}), " ")
	case r.Kind != "" && r.Path != "":
		return r.Kind + " " + r.Path
	case r.Kind != "":
		return strings.Join(identity.WithoutEmpty([]string{r.Kind, identity.GroupVersion(r.Group, r.Version)}), " in ")
	}
	return r.Name
}

// What is the row's difference in words.
func (r Row) What() string {
	return strings.Join(identity.WithoutEmpty([]string{string(r.Difference.Difference), nameOf(r)}), " ")
}
