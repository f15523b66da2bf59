package reports

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// kinship is what makes two findings tell the same.
type kinship struct {
	Check    term.CheckName
	Class    term.Class
	Cause    term.Cause
	State    term.State
	Path     string
	Via      term.Role
	Expected bool
}

func kinshipOf(f result.Finding) kinship {
	return kinship{f.Check, f.Class, f.Cause, f.State, f.Path, f.Via, f.Expected}
}

// group is the findings that tell the same, in short.
type group struct {
	kinship
	Count int
	First int // the first finding's step
}

// groupFindings counts findings that tell the same, the worst group first.
func groupFindings(findings []result.Finding) []group {
	at := map[kinship]int{}
	var groups []group
	for _, f := range worstFirst(findings) {
		k := kinshipOf(f)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, group{kinship: k, First: f.Step})
		}
		groups[i].Count++
	}
	return groups
}

// worstFirst sorts findings as a reader wants to meet them: those that are not
// expected before those that are, then by the severity of the state, violations
// before impacts, and by step. The findings of one place keep their order.
func worstFirst(findings []result.Finding) []result.Finding {
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b result.Finding) int {
		return cmp.Or(
			cmp.Compare(rank(a.Expected), rank(b.Expected)),
			cmp.Compare(severity(a.State), severity(b.State)),
			cmp.Compare(rank(a.Class != term.Violation), rank(b.Class != term.Violation)),
			cmp.Compare(a.Step, b.Step),
		)
	})
	return sorted
}

// rank orders what is false before what is true.
func rank(late bool) int {
	if late {
		return 1
	}
	return 0
}

// severity is a state's place among all, the worst first. What is no state comes last.
func severity(s term.State) int {
	all := term.States()
	for i, e := range all {
		if e.Word == s {
			return i
		}
	}
	return len(all)
}

// String names what the findings of the group share.
func (g group) String() string {
	words := []string{string(g.Check), string(g.Class)}
	for _, word := range []string{string(g.State), string(g.Cause), visible(g.Path)} {
		if word != "" {
			words = append(words, word)
		}
	}
	if g.Via != "" {
		words = append(words, "via "+string(g.Via))
	}
	return strings.Join(words, ", ")
}

// unexpected returns the findings no line of expect matches.
func unexpected(findings []result.Finding) []result.Finding {
	return filter(findings, func(f result.Finding) bool { return !f.Expected })
}

// expected returns the findings a line of expect matches.
func expected(findings []result.Finding) []result.Finding {
	return filter(findings, func(f result.Finding) bool { return f.Expected })
}

// filter returns the findings that are wanted, in their order.
func filter(findings []result.Finding, wanted func(result.Finding) bool) []result.Finding {
	var out []result.Finding
	for _, f := range findings {
		if wanted(f) {
			out = append(out, f)
		}
	}
	return out
}

// match is the findings that one line of expect matches.
type match struct {
	Place    int    // in expect, from 1
	Line     string // the expectation, as a scenario has it
	Findings []result.Finding
}

// matches sorts the expected findings by the line of expect they match. Each
// line that matched anything is there, in the scenario's order.
func matches(expect []scenarios.Expectation, findings []result.Finding) []match {
	byPlace := map[int]*match{}
	var places []int
	for _, f := range expected(findings) {
		m := byPlace[f.Expectation]
		if m == nil {
			m = &match{Place: f.Expectation, Line: lineAt(expect, f.Expectation)}
			byPlace[f.Expectation] = m
			places = append(places, f.Expectation)
		}
		m.Findings = append(m.Findings, f)
	}
	sort.Ints(places)
	out := make([]match, len(places))
	for i, place := range places {
		out[i] = *byPlace[place]
	}
	return out
}

// lineAt writes the expectation at a place, or says that there is none.
func lineAt(expect []scenarios.Expectation, place int) string {
	if place < 1 || place > len(expect) {
		return fmt.Sprintf("line %d of expect", place)
	}
	return line(expect[place-1])
}

// line is an expectation as a scenario has it, without its reason, which is a sentence of
// its own: {check: ..., via: old}.
func line(e scenarios.Expectation) string {
	e.Why = ""
	return visible(e.Flow())
}

// reason is the skipped cells that share a reason.
type reason struct {
	Text  string
	Count int
	Cells []result.Skip
}

// skippedByReason counts skipped cells: the most frequent reason first, equal
// ones in the order they were met.
func skippedByReason(skipped []result.Skip) []reason {
	at := map[string]int{}
	var reasons []reason
	for _, s := range skipped {
		i, ok := at[s.Reason]
		if !ok {
			i = len(reasons)
			at[s.Reason] = i
			reasons = append(reasons, reason{Text: s.Reason})
		}
		reasons[i].Count++
		reasons[i].Cells = append(reasons[i].Cells, s)
	}
	sort.SliceStable(reasons, func(i, j int) bool { return reasons[i].Count > reasons[j].Count })
	return reasons
}
