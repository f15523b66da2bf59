package view

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// GroupKey is what two findings share that say the same about different copies.
type GroupKey struct {
	Check    term.CheckName
	Class    term.Class
	Cause    term.Cause
	State    term.Outcome
	Path     string
	Via      term.Role
	Expected bool
}

// KeyOf returns the key of a finding's group.
func KeyOf(f result.Finding) GroupKey {
	return GroupKey{f.Check, f.Class, f.Cause, f.Outcome, f.Path, f.Via, f.Expected}
}

// group is similar findings, in short.
type group struct {
	GroupKey
	Count int
	First int // the first finding's step
}

// GroupFindings counts similar findings, the worst group first.
func GroupFindings(findings []result.Finding) []group {
	at := map[GroupKey]int{}
	var groups []group
	for _, f := range WorstFirst(findings) {
		k := KeyOf(f)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, group{GroupKey: k, First: f.Step})
		}
		groups[i].Count++
	}
	return groups
}

// WorstFirst sorts findings for readers: unexpected before expected ones, then by the
// severity of the state, violations before impacts, and by step. Equal findings keep their
// order.
func WorstFirst(findings []result.Finding) []result.Finding {
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b result.Finding) int {
		return cmp.Or(
			cmp.Compare(FalseFirst(a.Expected), FalseFirst(b.Expected)),
			cmp.Compare(Severity(a.Outcome), Severity(b.Outcome)),
			cmp.Compare(FalseFirst(a.Class != term.Violation), FalseFirst(b.Class != term.Violation)),
			cmp.Compare(a.Step, b.Step),
		)
	})
	return sorted
}

// FalseFirst orders false before true.
func FalseFirst(late bool) int {
	if late {
		return 1
	}
	return 0
}

// Severity returns a state's rank, the worst first. An unknown state comes last.
func Severity(s term.Outcome) int {
	all := term.RunOutcomes()
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
	for _, word := range []string{string(g.State), string(g.Cause), term.Visible(g.Path)} {
		if word != "" {
			words = append(words, word)
		}
	}
	if g.Via != "" {
		words = append(words, "via "+string(g.Via))
	}
	return strings.Join(words, ", ")
}

// Unexpected returns the findings no line of expect matches.
func Unexpected(findings []result.Finding) []result.Finding {
	return Select(findings, func(f result.Finding) bool { return !f.Expected })
}

// Expected returns the findings a line of expect matches.
func Expected(findings []result.Finding) []result.Finding {
	return Select(findings, func(f result.Finding) bool { return f.Expected })
}

// Select returns the findings that are wanted, in their order.
func Select(findings []result.Finding, wanted func(result.Finding) bool) []result.Finding {
	var out []result.Finding
	for _, f := range findings {
		if wanted(f) {
			out = append(out, f)
		}
	}
	return out
}

// SkipReason is the skipped cells that share a reason.
type SkipReason struct {
	Text  string
	Count int
	Cells []result.Skip
}

// SkippedByReason counts skipped cells: the most frequent reason first, equally frequent
// ones in the order of their first cells.
func SkippedByReason(skipped []result.Skip) []SkipReason {
	at := map[string]int{}
	var reasons []SkipReason
	for _, s := range skipped {
		i, ok := at[s.Reason]
		if !ok {
			i = len(reasons)
			at[s.Reason] = i
			reasons = append(reasons, SkipReason{Text: s.Reason})
		}
		reasons[i].Count++
		reasons[i].Cells = append(reasons[i].Cells, s)
	}
	sort.SliceStable(reasons, func(i, j int) bool { return reasons[i].Count > reasons[j].Count })
	return reasons
}

// RulesOf returns the rules of findings, in the order of the list.
func RulesOf(findings []result.Finding) []term.Rule {
	broken := map[term.Rule]bool{}
	for _, f := range findings {
		broken[f.Rule] = true
	}
	var all []term.Rule
	for _, e := range term.Rules() {
		if broken[e.Word] {
			all = append(all, e.Word)
		}
	}
	return all
}

// TriedRuns returns the runs with at least one infrastructure failure.
func TriedRuns(runs []result.MergedRun) (all []result.MergedRun) {
	for _, r := range runs {
		if r.Tried != "" {
			all = append(all, r)
		}
	}
	return all
}
