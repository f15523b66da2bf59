package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Proposal is a line of expect that fits a run.
type Proposal struct {
	Expectation scenarios.Expectation
	Findings    int  // the number that it matches
	First       int  // the step of the first of them
	Kept        bool // the scenario already has it
}

// Propose returns lines of expect that fit what a run found, those that match most findings
// first, and the result of the run with them. No two lines can match the same finding. With
// merge, the scenario's own lines stay as far as they fit.
func Propose(h *history.History, schemas trace.Schemas, merge bool) ([]Proposal, result.Result) {
	_, found := find(h, schemas, everyCheck)
	return propose(h, found, merge)
}

// ProposeFor returns lines of expect that fit findings of a run, such as those on one of its
// objects. severalObjects reports whether the scenario of the lines has several objects.
func ProposeFor(findings []result.Finding, severalObjects bool) []scenarios.Expectation {
	x := proposing{severalObjects: severalObjects}
	proposals, _ := x.lines(findings) // there are no lines to drop
	lines := make([]scenarios.Expectation, len(proposals))
	for i, p := range proposals {
		lines[i] = p.Expectation
	}
	return lines
}

func propose(h *history.History, found result.Result, merge bool) ([]Proposal, result.Result) {
	counted := slices.DeleteFunc(slices.Clone(found.Findings), func(f result.Finding) bool {
		return f.Order > 0 || f.Outcome == term.Outage && f.Expected && f.Expectation == 0 // the journey's own
	})
	x := proposing{severalObjects: severalObjects(h.Header.Plan)}
	if merge {
		x.keep(h, counted)
	}
	lines, dropped := x.lines(counted)
	for dropped {
		lines, dropped = x.lines(counted)
	}
	lines = append(lines, x.kept...)
	slices.SortStableFunc(lines, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.Findings, a.Findings), cmp.Compare(a.Expectation.Flow(), b.Expectation.Flow()))
	})
	return lines, judgedWith(h, found, lines)
}

// judgedWith returns the findings matched against other lines.
func judgedWith(h *history.History, found result.Result, lines []Proposal) result.Result {
	with := *h
	p := &with.Header.Plan
	p.Expect, p.Elsewhere, p.NoExpect = nil, nil, false
	for _, l := range lines {
		p.Expect = append(p.Expect, l.Expectation)
		if l.Findings == 0 { // kept for other pairs
			p.Elsewhere = append(p.Elsewhere, plan.Elsewhere{Place: len(p.Expect), Line: l.Expectation.Line, Reason: "it is for other pairs"})
		}
	}
	found.Findings = slices.Clone(found.Findings)
	compare(&with, &found)
	return found
}

// proposing holds the state of Propose.
type proposing struct {
	severalObjects bool
	kept           []Proposal
}

func severalObjects(p plan.Plan) bool {
	return slices.ContainsFunc(p.Copies, func(c plan.Copy) bool { return c.Object != p.Copies[0].Object })
}

// keep keeps the lines of the scenario that match findings which no earlier line matches, and
// those that are for other pairs. A count becomes that of the run.
func (x *proposing) keep(h *history.History, findings []result.Finding) {
	p := h.Header.Plan
	for i, e := range p.Expect {
		if p.IsElsewhere(i + 1) {
			x.kept = append(x.kept, Proposal{Expectation: e, Kept: true})
			continue
		}
		mine := matched(e, findings)
		overlaps := slices.ContainsFunc(mine, func(f result.Finding) bool { return x.covers(f) })
		if len(mine) == 0 || overlaps || e.Expired(h.Header.Started) {
			continue
		}
		if e.Count > 0 {
			e.Count = len(mine)
		}
		x.kept = append(x.kept, Proposal{e, len(mine), mine[0].Step, true})
	}
}

func matched(e scenarios.Expectation, findings []result.Finding) []result.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f result.Finding) bool { return !agrees(e, f) })
}

// covers reports whether a kept line matches a finding.
func (x *proposing) covers(f result.Finding) bool {
	return slices.ContainsFunc(x.kept, func(p Proposal) bool { return p.Findings > 0 && agrees(p.Expectation, f) })
}

// lines returns lines for the findings that no kept line matches. If no key distinguishes a kept
// line from one of them, the kept line is dropped, and all lines must be made again.
func (x *proposing) lines(findings []result.Finding) (lines []Proposal, dropped bool) {
	groups := map[string][]result.Finding{}
	var names []string
	for _, f := range findings {
		if x.covers(f) {
			continue
		}
		name := fmt.Sprint(f.Check, " ", f.Class, " ", f.Outcome, " ", f.Cause)
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], f)
	}
	for _, name := range names {
		made, drop := x.apart(groups[name], x.usual(groups[name]))
		if drop >= 0 {
			x.kept = slices.Delete(x.kept, drop, drop+1)
			return nil, true
		}
		lines = append(lines, made...)
	}
	return lines, false
}

// maxWords is how many words a key lists at most: a longer list is less useful than no key.
const maxWords = 8

// usual returns the keys of a line for a group of findings with the same check, class, state and
// cause: the keys that say where. A key with the same value for all findings says nothing.
func (x *proposing) usual(group []result.Finding) []string {
	keys := []string{"class", "outcome", "cause"}
	for _, key := range []string{"object", "path", "via"} {
		words, all := wordsFor(group, key)
		says := len(words) <= maxWords
		switch key {
		case "object":
			says = says && x.severalObjects
		case "via":
			says = len(words) == 1
		}
		if all && says {
			keys = append(keys, key)
		}
	}
	return keys
}

// apart returns lines for a group, with more keys if a kept line could match the same finding.
// drop is the kept line that no key distinguishes from the group, -1 for none.
func (x *proposing) apart(group []result.Finding, keys []string) (lines []Proposal, drop int) {
	line := lineOf(group, keys)
	for i, k := range x.kept {
		if k.Findings == 0 || disjoint(line, k.Expectation) {
			continue
		}
		for rest, used := group, keys; len(rest) > 0; {
			key := differing(rest, k.Expectation, used)
			if key == "" {
				return nil, i
			}
			out, in := split(rest, k.Expectation, key)
			used = append(slices.Clone(used), key)
			made, drop := x.apart(out, used)
			if drop >= 0 {
				return nil, drop
			}
			lines, rest = append(lines, made...), in
		}
		return lines, -1
	}
	return []Proposal{{Expectation: line, Findings: len(group), First: group[0].Step}}, -1
}

// differing returns a key in which some of a group differ from a line, and that all of it have.
func differing(group []result.Finding, k scenarios.Expectation, used []string) string {
	for _, d := range dimensions() {
		_, all := wordsFor(group, d.key)
		if out, _ := split(group, k, d.key); all && len(out) > 0 && len(d.wanted(k)) > 0 {
			if !slices.Contains(used, d.key) || len(out) < len(group) {
				return d.key
			}
		}
	}
	return ""
}

// split divides a group into the findings that a line's key does not match, and the others.
func split(group []result.Finding, k scenarios.Expectation, key string) (out, in []result.Finding) {
	d := dimensionOf(key)
	for _, f := range group {
		if slices.Contains(d.wanted(k), d.of(f)) {
			in = append(in, f)
		} else {
			out = append(out, f)
		}
	}
	return out, in
}

// lineOf returns the line with these keys and the values that a group has for them.
func lineOf(group []result.Finding, keys []string) scenarios.Expectation {
	e := scenarios.Expectation{Check: group[0].Check}
	for _, key := range keys {
		words, _ := wordsFor(group, key)
		dimensionOf(key).put(&e, words)
	}
	return e
}

// wordsFor returns the words of a group for a key, in order; all says whether each finding has
// one.
func wordsFor(group []result.Finding, key string) (words []string, all bool) {
	d := dimensionOf(key)
	for _, f := range group {
		words = append(words, d.of(f))
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return words, words[0] != ""
}

// disjoint reports whether no finding can match both lines.
func disjoint(a, b scenarios.Expectation) bool {
	if a.Check != b.Check {
		return true
	}
	return slices.ContainsFunc(dimensions(), func(d dimension) bool {
		one, other := d.wanted(a), d.wanted(b)
		return len(one) > 0 && len(other) > 0 && !slices.ContainsFunc(one, func(word string) bool { return slices.Contains(other, word) })
	})
}
