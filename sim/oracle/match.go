package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// holdTo records which line a finding matches: the finding is expected, unless the line has
// expired.
func holdTo(expect []scenarios.Expectation, place int, f *result.Finding, began time.Time) {
	f.Expected, f.Expectation = true, place+1
	if want := expect[place]; want.Expired(began) {
		f.Expected = false
		f.Message += fmt.Sprintf(" (expected by line %d until %s, which has passed; owner: %s)", want.Line, want.Until, want.Owner)
	}
}

// ofLeg removes from the result of a chain's leg what only the chain can decide: that no finding,
// or too few, matched an expectation.
func ofLeg(h *history.History, res *result.Result) {
	if h.Header.Plan.Leg != nil {
		res.Missing = []result.Missing{}
	}
}

// match compares findings with expectations: each finding must match exactly one, and each
// expectation a finding. An incomplete run lacks no finding, since the rest of the run might have
// produced it.
func match(h *history.History, res *result.Result) {
	p, began := &h.Header.Plan, h.Header.Started
	seen := make([]int, len(p.Expect))
	for i := range res.Findings {
		f := &res.Findings[i]
		matching := matches(p, *f)
		if f.Outcome == term.Outage && p.HasNoProgram(f.Stage) { // the journey's own; lines for something else do not count
			matching = slices.DeleteFunc(matching, func(place int) bool { return !slices.Contains(p.Expect[place].Outcome, term.Outage) })
			f.Expected = len(matching) == 0
		}
		if f.Order > 0 {
			matchOrder(p.Expect, matching, f, began)
			continue
		}
		for _, place := range matching {
			seen[place]++
		}
		switch len(matching) {
		case 0:
		case 1:
			holdTo(p.Expect, matching[0], f, began)
		default:
			f.Message += fmt.Sprintf(" (matches expectations %s: make one of them narrower)", places(matching))
		}
	}
	for i, want := range p.Expect {
		if p.IsElsewhere(i+1) || expire(h, res, i, seen[i]) {
			continue
		}
		if message := unmet(want, seen[i]); message != "" && h.Complete() {
			res.Missing = append(res.Missing, result.Missing{Expectation: want, Place: i + 1, Seen: seen[i], Message: message})
		}
	}
}

// matches returns the indexes of the lines that a finding agrees with, of those that are for the
// pair.
func matches(p *plan.Plan, f result.Finding) []int {
	var found []int
	for i, want := range p.Expect {
		if agrees(want, f) && !p.IsElsewhere(i+1) {
			found = append(found, i)
		}
	}
	return found
}

// agrees reports whether a finding has everything that an expectation names.
func agrees(want scenarios.Expectation, f result.Finding) bool {
	return is(want.Check, f.Check) && among(want.Class, f.Class) && among(want.Rule, f.Rule) && among(want.Outcome, f.Outcome) &&
		among(want.Cause, f.Cause) && among(want.Object, f.Object) && among(want.Path, f.Path) &&
		among(want.Copy, f.CopyRole) && among(want.Client, f.Client) && among(want.Verb, f.Verb) &&
		among(want.Read, f.Read) && among(want.Via, f.Via) && atStage(want.Stage, f.Stage) &&
		among(want.Encoding, cmp.Or(f.Encoding, term.JSON)) && among(want.FieldValidation, f.FieldValidation) &&
		is(want.Generation, f.Generation) && claims(want.ClaimedBy, f.ClaimedBy)
}

// claims reports whether one of the wanted managers is present, or none is wanted.
func claims(want, got []string) bool {
	return len(want) == 0 || slices.ContainsFunc(got, func(manager string) bool { return slices.Contains(want, manager) })
}

func is[W ~string](want, got W) bool { return want == "" || want == got }

func among[L ~[]W, W ~string](want L, got W) bool {
	return len(want) == 0 || slices.Contains(want, got)
}

// atStage accepts a stage's name, with or without its part: upgrading for upgrading 1/2.
func atStage(want []string, got string) bool {
	name, _, _ := strings.Cut(got, " ")
	return len(want) == 0 || slices.Contains(want, got) || slices.Contains(want, name)
}

func unmet(want scenarios.Expectation, seen int) string {
	line := fmt.Sprintf("the expectation on line %d (%s)", want.Line, summary(want))
	switch {
	case seen == 0:
		return line + " matches no finding"
	case want.Count > 0 && seen != want.Count:
		return fmt.Sprintf("%s matches %s, and count says %d", line, term.Numbered(seen, "finding"), want.Count)
	}
	return ""
}

// summary returns the main words of an expectation.
func summary(want scenarios.Expectation) string {
	var words []string
	for _, w := range []string{
		string(want.Check), want.Class.Text(), want.Outcome.Text(), want.Cause.Text(), want.Object.Text(), want.Path.Text(),
	} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(append(words, lists(want)...), " ")
}

func lists(want scenarios.Expectation) []string {
	var words []string
	add := func(name string, list []string) {
		if len(list) > 0 {
			words = append(words, name+" "+strings.Join(list, "|"))
		}
	}
	add("copy", texts(want.Copy))
	add("client", texts(want.Client))
	add("verb", texts(want.Verb))
	add("read", texts(want.Read))
	add("via", texts(want.Via))
	add("encoding", texts(want.Encoding))
	add("fieldValidation", texts(want.FieldValidation))
	add("at", want.Stage)
	if want.Generation != "" {
		words = append(words, "generation "+string(want.Generation))
	}
	add("claimedBy", want.ClaimedBy)
	return words
}

func texts[W ~string](words []W) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return all
}

func places(indexes []int) string {
	all := make([]string, len(indexes))
	for i, n := range indexes {
		all[i] = fmt.Sprint(n + 1)
	}
	return strings.Join(all, " and ")
}

// outcomes is made once: the worse of two states is asked for in every cell.
var outcomes = term.Outcomes()

// worst returns the worse of two states, in the order of term.Outcomes.
func worst(a, b term.Outcome) term.Outcome {
	for _, entry := range outcomes {
		if entry.Word == a || entry.Word == b {
			return entry.Word
		}
	}
	return term.Kept
}

// matchOrder matches the finding about a copy with an order against expectations. How often an
// order produces an expected finding is not known in advance, so counts are not checked, and
// impacts are expected in every way of writing.
func matchOrder(expect []scenarios.Expectation, matching []int, f *result.Finding, began time.Time) {
	switch impact := f.Class == term.Impact; {
	case len(matching) > 0 && impact:
		f.Expected, f.Expectation = true, matching[0]+1
	case len(matching) > 0:
		holdTo(expect, matching[0], f, began)
	default:
		f.Expected = impact
	}
}
