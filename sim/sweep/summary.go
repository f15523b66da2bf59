package sweep

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Summarize completes a result from its rows: totals, laps, and the answer in one sentence.
func Summarize(r Result, laps []Lap) Result {
	r.SchemaVersion = SchemaVersion
	r.Totals = totals(r.Rows)
	for _, lap := range laps {
		r.Laps = append(r.Laps, summaries(lap)...)
	}
	r.Answer = strings.Join(WithoutEmpty([]string{answer(r), ofUnconverted(r)}), " ")
	return r
}

// totals count rows.
func totals(rows []Row) Totals {
	t := Totals{Default: map[string]int{}, Gates: map[string]int{}, PreExisting: map[term.Lap]int{}, Reasons: reasons(rows)}
	by := map[term.Lap]map[string]int{term.DefaultLap: t.Default, term.GatesLap: t.Gates}
	pairs := map[string]bool{} // whether objects exercised them
	for _, r := range rows {
		for _, o := range r.Laps {
			if o.PreExisting {
				t.PreExisting[o.Lap]++
				continue
			}
			by[o.Lap][o.Effect.String()]++
		}
		if pair := r.pairID(); pair != "" {
			pairs[pair] = pairs[pair] || r.Exercised
		}
		if !r.IsPublished() {
			if r.Outcome != term.Kept && r.Outcome != term.NotExercised {
				t.Shown++
			}
			continue
		}
		t.Differences++
		if r.NeedsWebhook {
			t.NeedWebhook++
		}
		if r.Playable {
			t.Playable++
		}
		if slices.ContainsFunc(r.Laps, func(o LapResult) bool { return o.WasPlayed }) {
			t.Played++
		}
		switch {
		case r.Exercised:
			t.Exercised++
		case r.Playable:
			t.NotExercised++
		default:
			t.Listed++
		}
		if r.Difference.Difference == term.FieldAdded && r.Playable {
			t.AddedFields.Of++
			if r.Exercised {
				t.AddedFields.Exercised++
			}
		}
	}
	if len(pairs) > 0 {
		t.VersionPairs = &Fraction{Of: len(pairs)}
	}
	for _, exercised := range pairs {
		if exercised {
			t.VersionPairs.Exercised++
		}
	}
	return t
}

// reasons count why published differences that a sweep can play are not exercised.
func reasons(rows []Row) []Reason {
	all := []Reason{}
	for _, r := range rows {
		if !r.IsPublished() || r.Exercised || !r.Playable {
			continue
		}
		what := reasonOf(r.Reason)
		i := slices.IndexFunc(all, func(of Reason) bool { return of.Reason == what })
		if i < 0 {
			i, all = len(all), append(all, Reason{Reason: what, First: r.ID})
		}
		all[i].Rows++
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(b.Rows, a.Rows) })
	return all
}

// numbers are those of one row's values.
var numbers = regexp.MustCompile(`\b[0-9]+\b`)

// reasonOf returns what reasons of several rows have in common: what comes before the words of servers, and
// before the figures of one row.
func reasonOf(reason string) string {
	head, _, _ := strings.Cut(reason, ": ")
	head, _, _ = strings.Cut(head, "; ")
	return numbers.ReplaceAllString(head, "n")
}

// IsPublished reports whether the releases publish the difference of a row: others, only servers
// show.
func (r Row) IsPublished() bool {
	return !r.isShown() && r.Name != Unstated
}

// isShown reports whether a row is of what objects show that use no difference.
func (r Row) isShown() bool {
	return r.Difference.Difference == term.BehaviourChanged || r.Difference.Difference == term.RoundTrip
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
	c := Counts{Harmed: map[term.Effect][]string{}, Shown: map[term.Effect][]string{}, GatesHarmed: map[term.Effect][]string{}}
	for _, row := range r.Rows {
		countGates(&c, row)
		i := slices.IndexFunc(row.Laps, func(o LapResult) bool { return o.Lap == term.DefaultLap })
		if i < 0 {
			continue
		}
		o := row.Laps[i]
		if o.Exercised && row.IsPublished() {
			c.Exercised++
		}
		if o.Uninstalled() {
			c.Uninstalled = append(c.Uninstalled, nameOf(row))
		}
		harmed := c.Harmed
		if !row.IsPublished() {
			harmed = c.Shown
		}
		switch {
		case o.PreExisting:
			c.PreExisting = append(c.PreExisting, nameOf(row))
		case slices.Contains(Harmful(), o.Effect):
			harmed[o.Effect] = append(harmed[o.Effect], nameOf(row))
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

// countGates counts what the lap with gates shows of a published difference.
func countGates(c *Counts, row Row) {
	o := outcomeIn(row, term.GatesLap)
	if o.Lap != term.GatesLap || !o.Exercised || !row.IsPublished() || o.PreExisting {
		return
	}
	c.WithGates++
	if slices.Contains(Harmful(), o.Effect) {
		c.GatesHarmed[o.Effect] = append(c.GatesHarmed[o.Effect], nameOf(row))
	}
	if plain := outcomeIn(row, term.DefaultLap); plain.Lap == term.DefaultLap && plain.Outcome == term.Dropped {
		c.DroppedAtDefault = true
	}
	c.OffAtDefault = c.OffAtDefault || !row.Reachable && len(row.Gates) > 0
}

// nameOf names a row for readers.
func nameOf(r Row) string {
	switch {
	case r.Difference.Difference == term.RoundTrip:
		return strings.Join(WithoutEmpty([]string{r.Kind, r.Path, "in", GroupVersion(r.Group, r.Version), "through", r.Name}), " ")
	case r.Kind != "" && r.Path != "" && (r.Difference.Difference == term.EnumValueAdded || r.Difference.Difference == term.EnumValueRemoved):
		return strings.Join(WithoutEmpty([]string{r.Kind, r.Path, r.Name}), " ")
	case r.Kind != "" && r.Path != "":
		return r.Kind + " " + r.Path
	case r.Kind != "":
		return strings.Join(WithoutEmpty([]string{r.Kind, GroupVersion(r.Group, r.Version)}), " in ")
	}
	return r.Name
}

// What is the row's difference in words.
func (r Row) What() string {
	return strings.Join(WithoutEmpty([]string{string(r.Difference.Difference), nameOf(r)}), " ")
}
