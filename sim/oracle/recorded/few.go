package recorded

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
)

// few returns the history of few copies that shows the same as the whole history: that a mutant
// is caught; for right releases, the same verdict, findings and checks.
func few(h *history.History, schemas oracle.Schemas) (*history.History, error) {
	whole, _ := oracle.Judge(h, schemas)
	ranked := rank(h, whole)
	shows := func(copies []string) bool {
		some, _ := oracle.Judge(Trim(h, copies), schemas)
		return same(whole, some)
	}
	count := 1
	for count < len(ranked) && !shows(ranked[:count]) {
		count = min(2*count, len(ranked))
	}
	copies := slices.Clone(ranked[:count])
	if !shows(copies) {
		return nil, errors.New("trimmed, the history of all copies shows something else")
	}
	copies = fewest(copies, shows)
	return Trim(h, withCompanions(h, copies, shows)), nil
}

// asMeant returns an error if the result cannot be a fixture: a mutant that is not caught, or
// right releases that do not pass.
func asMeant(res result.Result) error {
	switch {
	case res.Mutant != nil && !res.Mutant.Caught:
		return errors.New("the mutant is not caught: " + res.Mutant.Message)
	case res.Mutant == nil && res.Verdict != term.Pass:
		return fmt.Errorf("the releases are right, and the verdict is %s: %s", res.Verdict, res.Reason)
	}
	return nil
}

// fewest leaves out copies, many at once and then one by one, as long as the others show the
// same.
func fewest(copies []string, shows func([]string) bool) []string {
	for size := max(1, len(copies)/2); size > 0; size /= 2 {
		for at := 0; at < len(copies); {
			without := slices.Concat(copies[:at], copies[min(len(copies), at+size):])
			if shows(without) {
				copies = without
			} else {
				at += size
			}
		}
	}
	return copies
}

// withCompanions adds, for each role that the copies lack, a copy of the object of the first copy
// (of the plan's first object if no copy is needed), and one copy of an earlier leg, so that a
// check that reports too much has copies on which to do so.
func withCompanions(h *history.History, copies []string, shows func([]string) bool) []string {
	type sort struct {
		object  string
		role    term.CopyRole
		carried bool
	}
	has, object := map[sort]bool{}, ""
	for i, c := range h.Header.Plan.Copies {
		if slices.Contains(copies, c.Name) {
			has[sort{c.Object, c.Role, c.Leg > 0}] = true
		}
		if len(copies) == 0 && i == 0 || len(copies) > 0 && c.Name == copies[0] {
			object = c.Object
		}
	}
	for _, c := range h.Header.Plan.Copies {
		of := sort{c.Object, c.Role, c.Leg > 0}
		if c.Object != object || has[of] {
			continue
		}
		if more := append(slices.Clone(copies), c.Name); shows(more) {
			copies, has[of] = more, true
		}
	}
	return copies
}

// same reports whether a part of a history shows the same as the whole.
func same(whole, part result.Result) bool {
	if whole.Mutant != nil {
		return part.Mutant.Caught && part.Verdict == whole.Verdict
	}
	return part.Verdict == whole.Verdict && slices.Equal(signatures(whole), signatures(part)) && slices.Equal(judging(whole), judging(part))
}

// signatures describes the findings without their copies and steps, each once, in order. A
// finding that a line of expect matches has that line's place at the end.
func signatures(res result.Result) []string {
	all := map[string]bool{}
	for _, f := range res.Findings {
		words := []string{string(f.Check), string(f.Class), string(f.Outcome), string(f.Cause), cmp.Or(f.Path, "-")}
		if f.Copy != "" {
			words[4] = strings.ReplaceAll(words[4], f.Copy, "COPY")
		}
		if f.Expected {
			words = append(words, "expected")
		}
		all[strings.Join(words, " ")] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// judging returns the checks that judged something.
func judging(res result.Result) (all []term.CheckName) {
	for _, c := range res.Checks {
		if c.Judged > 0 {
			all = append(all, c.Name)
		}
	}
	return all
}

// rank lists all copies, first those that findings are about, each followed by those that
// its message names. Of a mutant the findings of the check that must catch it come first.
func rank(h *history.History, res result.Result) []string {
	names, seen := map[string]bool{}, map[string]bool{}
	for _, c := range h.Header.Plan.Copies {
		names[c.Name] = true
	}
	var all []string
	add := func(name string) {
		if names[name] && !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	for _, f := range leading(res) {
		add(f.Copy)
		for _, word := range strings.FieldsFunc(f.Message, func(r rune) bool { return strings.ContainsRune(" ,;:()", r) }) {
			add(word)
		}
	}
	for _, role := range []term.CopyRole{term.Control, term.Bystander, term.Treated, term.Untouched} {
		for _, c := range h.Header.Plan.Copies {
			if c.Role == role {
				add(c.Name)
			}
		}
	}
	for _, c := range h.Header.Plan.Copies {
		add(c.Name)
	}
	return all
}

// leading returns one finding of each kind, then the others. For a mutant, all findings of the
// check that must catch it come first.
func leading(res result.Result) []result.Finding {
	type sort struct {
		check       term.CheckName
		state       term.Outcome
		cause       term.Cause
		path        string
		expectation int
	}
	var first, others []result.Finding
	seen := map[sort]bool{}
	for _, f := range res.Findings {
		if of := (sort{f.Check, f.Outcome, f.Cause, f.Path, f.Expectation}); !seen[of] {
			seen[of] = true
			first = append(first, f)
		} else {
			others = append(others, f)
		}
	}
	all := append(first, others...)
	if res.Mutant == nil {
		return all
	}
	catches := func(f result.Finding) bool { return f.Check == res.Mutant.Expectation.Check && !f.Expected }
	return slices.Concat(only(all, catches), only(all, func(f result.Finding) bool { return !catches(f) }))
}
